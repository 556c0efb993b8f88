// Watermarks over time, and how long batches take.

import { clock, count, eventTime, span, svg } from "./format.js";

const WIDTH = 900;
const HEIGHT = 260;
const LEFT = 130;
const BOTTOM = 26;
const COLOURS = 6;

export function timeline(lines, now) {
  const drawing = frame(HEIGHT, "Watermarks over processing time");
  const points = lines.flatMap((line) => line.points);
  if (!points.length) return drawing;
  const [fromX, toX] = range(points.map((point) => point[0]));
  const [fromY, toY] = range(points.map((point) => point[1]));
  const x = scale(fromX, toX, LEFT, WIDTH - 10);
  const y = scale(fromY, toY, HEIGHT - BOTTOM - 6, 12);
  for (const at of ticks(fromY, toY, 4)) {
    drawing.append(
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 10, y1: y(at), y2: y(at) }),
      svg("text", { class: "quiet-text", x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, eventTime(at, now)),
    );
  }
  xAxis(drawing, fromX, toX, x, HEIGHT);
  lines.forEach((line, index) => {
    const d = line.points.map(([at, watermark], number) => `${number ? "L" : "M"}${x(at).toFixed(1)} ${y(watermark).toFixed(1)}`).join(" ");
    const end = line.points.length === 1 ? ` l4 0` : "";
    drawing.append(svg("path", { class: `curve ${line.kind} ${lineOf(index)}`, d: d + end }, svg("title", {}, line.name)));
  });
  return drawing;
}

export function durations(batches) {
  const height = 170;
  const drawing = frame(height, "How long batches took");
  if (!batches.length) return drawing;
  const longest = Math.max(...batches.map((batch) => batch.longest), 1);
  const y = scale(0, longest, height - BOTTOM - 6, 12);
  for (const at of ticks(0, longest, 3)) {
    drawing.append(
      svg("line", { class: "axis", x1: LEFT, x2: WIDTH - 10, y1: y(at), y2: y(at) }),
      svg("text", { class: "quiet-text", x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, span(at)),
    );
  }
  const step = (WIDTH - 10 - LEFT) / batches.length;
  const wide = Math.max(1, Math.min(18, step * 0.75));
  batches.forEach((batch, index) => {
    const x = LEFT + index * step + (step - wide) / 2;
    const bar = (kind, value) => svg("rect", { class: kind, x, width: wide, y: y(value), height: Math.max(1, y(0) - y(value)) });
    const said = `batch ${batch.id}: ${span(batch.duration)}${batch.count > 1 ? `, mean of ${count(batch.count)}; the longest took ${span(batch.longest)}` : ""}`;
    drawing.append(svg("g", {}, svg("title", {}, said), bar("bar longest", batch.longest), bar("bar", batch.duration)));
  });
  const [first, last] = [batches[0], batches.at(-1)];
  drawing.append(
    svg("text", { class: "quiet-text", x: LEFT, y: height - 8 }, clock(first["start-time"])),
    svg("text", { class: "quiet-text", x: WIDTH - 10, y: height - 8, "text-anchor": "end" }, clock(last["end-time"])),
  );
  return drawing;
}

// Lines differ in colour, and behind the sixth one in their dashes as well.
export function lineOf(index) {
  return `line-${index % COLOURS} dash-${Math.floor(index / COLOURS) % 3}`;
}

function frame(height, label) {
  return svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": label });
}

function xAxis(drawing, from, to, x, height) {
  ticks(from, to, 5).forEach((at, number) => {
    const anchor = number === 0 ? "start" : number === 5 ? "end" : "middle";
    drawing.append(svg("text", { class: "quiet-text", x: x(at), y: height - 8, "text-anchor": anchor }, clock(at)));
  });
}

function range(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low === high ? [low - 500, high + 500] : [low, high];
}

function scale(from, to, low, high) {
  return (value) => low + ((value - from) / (to - from || 1)) * (high - low);
}

function ticks(from, to, wanted) {
  const made = [];
  for (let number = 0; number <= wanted; number += 1) made.push(from + ((to - from) * number) / wanted);
  return made;
}
