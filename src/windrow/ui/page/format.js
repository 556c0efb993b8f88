// Numbers, times and elements of the page.

const MIN = -(2 ** 63);
const MAX = 2 ** 63 - 1;

export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick" || key === "onkeydown") made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function count(value) {
  if (value === null || value === undefined) return "";
  return Math.round(value).toLocaleString("en-GB");
}

export function rate(value) {
  if (value >= 10_000) return `${(value / 1000).toLocaleString("en-GB", { maximumFractionDigits: 0 })} k/s`;
  if (value >= 100 || value === 0) return `${count(value)}/s`;
  return `${value.toLocaleString("en-GB", { maximumFractionDigits: 1 })}/s`;
}

export function share(value) {
  return `${(value * 100).toFixed(value >= 0.0005 && value < 0.0995 ? 1 : 0)} %`;
}

export function bytes(value) {
  if (value === null || value === undefined) return "";
  for (const unit of ["B", "KiB", "MiB", "GiB"]) {
    if (value < 1024 || unit === "GiB") return `${value.toFixed(unit === "B" ? 0 : 1)} ${unit}`;
    value /= 1024;
  }
}

export function span(millis) {
  if (millis === null || millis === undefined) return "";
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  if (seconds < 120) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

export function clock(millis) {
  return millis > 0 ? new Date(millis).toLocaleTimeString("en-GB") : "";
}

// Event time is shown in UTC: it belongs to the data, and not to who looks at it.
export function eventTime(watermark, now = Date.now()) {
  if (watermark === null || watermark === undefined || watermark <= MIN) return "none yet";
  if (watermark >= MAX) return "the end";
  if (Math.abs(watermark) < 1e11 || Math.abs(watermark) > 8e15) return watermark.toLocaleString("en-GB");
  const text = new Date(watermark).toISOString();
  const today = new Date(now).toISOString().slice(0, 10);
  return text.slice(0, 10) === today ? text.slice(11, 19) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

export function isTime(watermark) {
  return watermark > MIN && watermark < MAX;
}

// A sentence in which names stand between backticks.
export function sentence(text) {
  return text.split("`").map((part, index) => (index % 2 ? element("code", {}, part) : part));
}

export function heat(value) {
  if (value < 0.02) return 0;
  if (value < 0.15) return 1;
  if (value < 0.35) return 2;
  return value < 0.6 ? 3 : 4;
}
