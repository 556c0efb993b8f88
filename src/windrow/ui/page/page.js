// The page of a job, and the list of jobs: asks for JSON once a second, and shows it.

import { durations, lineOf, timeline } from "./charts.js";
import { bytes, clock, count, element, eventTime, isTime, rate, sentence, share, span } from "./format.js";
import { Graph } from "./graph.js";

const token = document.querySelector("meta[name=windrow-token]").content;
const OVER = new Set(["FINISHED", "FAILED", "CANCELED", "SUSPENDED"]);
const content = document.querySelector("#content");
let view = null;

async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { Authorization: `token ${token}`, "Content-Type": "application/json" } });
  const given = await answer.json().catch(() => ({ errors: [answer.statusText] }));
  if (!answer.ok) throw new Error(given.errors?.join("; ") ?? answer.statusText);
  return given;
}

function say(text) {
  const place = document.querySelector("#trouble");
  place.textContent = text;
  place.hidden = !text;
}

function head(title, state = "", facts = "") {
  document.title = title === "Jobs" ? "Windrow" : `${title} – Windrow`;
  document.querySelector("#title").textContent = title;
  const shown = document.querySelector("#state");
  if (shown.textContent !== state) shown.textContent = state;
  shown.className = `state ${state}`;
  document.querySelector("#facts").textContent = facts;
}

// A table whose rows stay where they are, so that the keyboard's place does not jump.
class Table {
  constructor(columns) {
    this.columns = columns;
    this.rows = new Map();
    const heads = columns.map((column) => element("th", { scope: "col", class: column.number ? "number" : null }, column.label));
    this.body = element("tbody");
    this.table = element("table", { class: "wide" }, element("thead", {}, element("tr", {}, ...heads)), this.body);
    this.place = element("div", { class: "scroll" }, this.table);
  }

  show(rows, key) {
    const left = new Set(this.rows.keys());
    rows.forEach((row, index) => {
      const name = String(key(row, index));
      left.delete(name);
      let shown = this.rows.get(name);
      if (!shown) {
        const cells = this.columns.map((column) =>
          element("td", { class: column.number ? "number" : column.name ? "name" : null, "data-label": column.label }));
        shown = { line: element("tr", {}, ...cells), cells, said: [] };
        this.rows.set(name, shown);
      }
      this.columns.forEach((column, number) => {
        const value = column.value(row, index);
        const [cell, before] = [shown.cells[number], shown.said[number]];
        if (value instanceof Node) {
          if (before !== value.textContent) cell.replaceChildren(value);
          shown.said[number] = value.textContent;
        } else if (before !== value) {
          cell.textContent = value ?? "";
          shown.said[number] = value;
        }
        if (column.tone) cell.className = `${column.number ? "number " : ""}${column.tone(row)}`;
      });
      if (this.body.children[index] !== shown.line) this.body.insertBefore(shown.line, this.body.children[index] ?? null);
    });
    for (const name of left) {
      this.rows.get(name).line.remove();
      this.rows.delete(name);
    }
  }
}

class Jobs {
  constructor() {
    this.table = new Table([
      { label: "Job", name: true, value: (job) => element("a", { href: `#/jobs/${job.jid}` }, job.name) },
      { label: "State", value: (job) => job.state, tone: (job) => (job.state === "FAILED" ? "bad" : "good") },
      { label: "Started", value: (job) => new Date(job["start-time"]).toLocaleString("en-GB") },
      { label: "Lasted", number: true, value: (job) => span(job.duration) },
    ]);
    content.replaceChildren(element("section", {}, element("h2", {}, "Jobs of this program"), this.table.place));
    document.querySelector("#actions").replaceChildren();
    head("Jobs");
  }

  async update() {
    const { jobs } = await ask("jobs/overview");
    if (jobs.length === 1 && !location.hash) location.replace(`#/jobs/${jobs[0].jid}`);
    this.table.show(jobs, (job) => job.jid);
    return 2000;
  }
}

class Job {
  constructor(id) {
    this.path = `jobs/${encodeURIComponent(id)}`;
    this.chosen = null;
    this.tab = "operators";
    this.findings = element("ul", { class: "findings", "aria-live": "polite" });
    this.findingsPlace = element("section", { hidden: true, id: "findings" }, element("h2", {}, "What to know"), this.findings);
    this.numbers = element("dl", { class: "numbers" });
    this.graphPlace = element("div", { class: "scroll graph", tabindex: 0, role: "region", "aria-label": "Graph of the job" });
    this.detail = element("section", { hidden: true, id: "detail", "aria-live": "polite" });
    this.panel = element("div", { role: "tabpanel", id: "panel" });
    const tabs = Object.entries(TABS).map(([name, tab]) => this.tabButton(name, tab.label));
    this.tabs = element("div", { role: "tablist", onkeydown: (event) => this.moveTab(event) }, ...tabs);
    content.replaceChildren(
      this.findingsPlace,
      element("section", {}, this.numbers),
      element("section", {}, element("h2", {}, "Operators by level"), this.graphPlace, legend()),
      this.detail,
      element("section", {}, this.tabs, this.panel),
    );
    document.querySelector("#actions").replaceChildren();
    this.show(this.tab);
  }

  tabButton(name, label) {
    return element("button", { role: "tab", id: `tab-${name}`, "aria-controls": "panel", onclick: () => this.show(name) }, label);
  }

  moveTab(event) {
    const names = Object.keys(TABS);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(this.tab) + step + names.length) % names.length];
    this.show(next);
    document.querySelector(`#tab-${next}`).focus();
  }

  show(name) {
    this.tab = name;
    for (const button of this.tabs.children) {
      const selected = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", selected);
      button.tabIndex = selected ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${name}`);
    this.shown = TABS[name].make(this);
    this.panel.replaceChildren(...this.shown.places);
    if (this.details) this.refresh().catch((error) => say(error.message));
  }

  async refresh() {
    const shown = this.shown;
    const given = await Promise.all(TABS[this.tab].paths.map((path) => ask(`${this.path}/${path}`)));
    if (shown === this.shown) shown.update(this.details, ...given);
  }

  async choose(id) {
    this.chosen = this.chosen === id ? null : id;
    await this.showVertex();
    this.graph.update(this.details.vertices, this.held, this.chosen);
    if (this.chosen) this.detail.scrollIntoView({ block: "nearest" });
  }

  async showVertex() {
    this.detail.hidden = this.chosen === null;
    if (this.chosen === null) return;
    const path = `${this.path}/vertices/${encodeURIComponent(this.chosen)}`;
    const [vertex, pressure] = await Promise.all([ask(path), ask(`${path}/backpressure`)]);
    if (this.detailOf !== vertex.id) {
      this.detailOf = vertex.id;
      this.subtasks = new Table([
        { label: "Subtask", value: (row) => String(row.subtask) },
        { label: "Records in", number: true, value: (row) => count(row.metrics["read-records"]) },
        { label: "Records out", number: true, value: (row) => count(row.metrics["write-records"]) },
        { label: "Python time", number: true, value: (row) => span(row.metrics["accumulated-busy-time"]) },
        { label: "Busy", number: true, value: (row) => share(row.busy) },
        { label: "Watermark in", value: (row) => eventTime(row["current-input-watermark"], row.now) },
        { label: "Watermark out", value: (row) => eventTime(row["current-output-watermark"], row.now) },
      ]);
      this.words = element("p", { class: "quiet" });
      this.waits = element("p", { hidden: true });
      const close = element("button", { onclick: () => this.choose(vertex.id) }, "Close");
      this.detail.replaceChildren(element("h2", {}, vertex.name), this.waits, this.words, this.subtasks.place, close);
    }
    const next = vertex["waits-for"]?.text ?? "";
    if (this.saidNext !== next || !this.waits.childNodes.length) this.waits.replaceChildren(...sentence(next));
    this.saidNext = next;
    this.waits.hidden = !next;
    const dropped = Object.entries(vertex.dropped).map(([name, number]) => `${name}: ${count(number)}`);
    const state = vertex.state ? `State: ${vertex.state}` : "";
    const form = vertex.form ? `${vertex.form[0].toUpperCase()}${vertex.form.slice(1)}` : "";
    this.words.textContent = [form, state, stored(vertex.stored, vertex.now), ...dropped].filter(Boolean).join(". ");
    this.subtasks.show(
      vertex.subtasks.map((subtask) => ({ ...subtask, now: vertex.now, busy: pressure.subtasks[subtask.subtask]?.busyRatio ?? 0 })),
      (row) => row.subtask,
    );
  }

  async update() {
    const [details, findings] = await Promise.all([ask(this.path), ask(`${this.path}/findings`)]);
    this.details = details;
    const duration = span(details.duration);
    head(details.name, details.state, `${details.runtime === "spark" ? "on Spark" : "in the program's process"}, ${duration}`);
    this.held = new Set(findings.filter((finding) => finding.level === "warning").flatMap((finding) => finding.vertices));
    this.showFindings(findings);
    this.showNumbers(details);
    if (!this.graph) {
      this.graph = new Graph(details.plan, (id) => this.choose(id).catch((error) => say(error.message)));
      this.graphPlace.replaceChildren(this.graph.drawing);
    }
    this.graph.update(details.vertices, this.held, this.chosen);
    this.showActions(details);
    await this.showVertex();
    await this.refresh();
    return OVER.has(details.state) ? 10_000 : 1000;
  }

  showFindings(findings) {
    const said = JSON.stringify(findings.map((finding) => [finding.text, finding.waiting]));
    if (said === this.said) return;
    this.said = said;
    this.findingsPlace.hidden = !findings.length;
    this.findings.replaceChildren(...findings.map((finding) => element("li", { class: finding.level }, ...sentence(finding.text), waiting(finding))));
  }

  showNumbers(details) {
    const sum = (kind, name) => details.vertices.filter((vertex) => vertex.windrow.kind === kind)
      .reduce((total, vertex) => total + vertex.metrics[name], 0);
    const perSecond = (kind, name) => details.vertices.filter((vertex) => vertex.windrow.kind === kind)
      .reduce((total, vertex) => total + vertex.windrow[name], 0);
    const late = details.vertices.reduce((total, vertex) => total + (vertex.windrow.dropped.num_late_records_dropped ?? 0), 0);
    const shown = [
      ["Records in", count(sum("source", "write-records"))],
      [OVER.has(details.state) ? "In, on average" : "In, lately", rate(perSecond("source", "records-out-per-second"))],
      ["Records out", count(sum("sink", "read-records"))],
      [OVER.has(details.state) ? "Out, on average" : "Out, lately", rate(perSecond("sink", "records-in-per-second"))],
      ["Late and dropped", count(late)],
    ];
    const { tasks, tasks_finished: finished, state } = details.progress;
    if (tasks) shown.push(["Tasks", `${count(finished)} of ${count(tasks)}`]);
    if (state?.length) shown.push(["State", bytes(state.reduce((total, level) => total + (level.bytes ?? 0), 0))]);
    this.numbers.replaceChildren(...shown.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  }

  showActions(details) {
    const place = document.querySelector("#actions");
    const actions = token ? details.actions : []; // who has opened the address without its token may look
    const wanted = actions.join();
    if (place.dataset.actions === wanted && place.childElementCount === actions.length) return;
    place.dataset.actions = wanted;
    place.replaceChildren(...actions.map((action) => element("button", { onclick: () => this.act(action) }, ACTIONS[action].label)));
  }

  async act(name) {
    const action = ACTIONS[name];
    let body = {};
    say("");
    if (action.directory) {
      const given = this.details["savepoint-directory"] ?? "";
      const directory = prompt("Directory for the savepoint:", given);
      if (directory === null) return;
      body = directory ? { [action.directory]: directory } : {};
    } else if (!confirm(`${action.label} “${this.details.name}”?`)) return;
    try {
      const path = `${this.path}${action.path}`;
      const { "request-id": number } = await ask(path, { method: action.method, body: JSON.stringify({ ...action.body, ...body }) });
      if (action.path) await this.follow(`${this.path}${action.path.replace("?mode=cancel", "")}/${number}`);
    } catch (error) {
      say(error.message);
    }
  }

  async follow(path) {
    for (;;) {
      const { status, operation } = await ask(path);
      if (status.id === "COMPLETED") {
        const failed = operation["failure-cause"];
        say(failed ? failed["stack-trace"] : "");
        return;
      }
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

const ACTIONS = {
  cancel: { label: "Cancel", method: "PATCH", path: "", body: {} },
  savepoint: { label: "Savepoint", method: "POST", path: "/savepoints", body: {}, directory: "target-directory" },
  drain: { label: "Drain", method: "POST", path: "/stop", body: { drain: true }, directory: "targetDirectory" },
};

function legend() {
  const words = "The bar of an operator is its share of the time that Python works. Thick arrows are exchanges, dashed ones side outputs; a dashed frame waits for event time.";
  return element("p", { class: "quiet" }, words);
}

const TABS = {
  operators: {
    label: "Operators",
    paths: [],
    make(job) {
      const table = new Table([
        { label: "Operator", name: true, value: (row) => element("button", { class: "link", onclick: () => job.choose(row.id) }, row.name) },
        { label: "Subtasks", number: true, value: (row) => String(row.parallelism) },
        { label: "Records in", number: true, value: (row) => count(row.metrics["read-records"]) },
        { label: "Records out", number: true, value: (row) => count(row.metrics["write-records"]) },
        { label: "In per second", number: true, value: (row) => rate(row.windrow["records-in-per-second"]) },
        { label: "Python time", number: true, value: (row) => span(row.metrics["accumulated-busy-time"]) },
        { label: "Share", number: true, value: (row) => share(row.windrow.share) },
        { label: "Dropped", number: true, value: (row) => count(Object.values(row.windrow.dropped).reduce((sum, one) => sum + one, 0)) },
        { label: "Works on", value: (row) => row.windrow.form },
      ]);
      return { places: [table.place], update: (details) => table.show(details.vertices, (row) => row.id) };
    },
  },
  time: {
    label: "Time",
    paths: ["timeline", "splits"],
    make() {
      const chart = element("div", { class: "scroll" });
      const names = element("ul", { class: "legend" });
      const words = element("p", { class: "quiet" });
      const table = new Table([
        { label: "Split", name: true, value: (row) => row.split },
        { label: "Watermark", value: (row) => eventTime(row.watermark, row.now) },
        { label: "Behind the clock", number: true, value: (row) => span(row["watermark-lag"]) },
        { label: "Status", value: (row) => (row.idle ? "idle" : row.paused ? "paused by alignment" : "active"), tone: (row) => (row.idle || row.paused ? "warn" : "good") },
        { label: "Records", number: true, value: (row) => count(row.records) },
        { label: "To be read", number: true, value: (row) => count(row["pending-records"]) },
        { label: "Last record", value: (row) => clock(row["last-record"]) || "none" },
      ]);
      const update = (details, { lines, "left-out": leftOut }, splits) => {
        chart.replaceChildren(timeline(lines, details.now));
        names.replaceChildren(...lines.map((line, index) => element("li", {}, element("span", { class: `swatch ${lineOf(index)}` }), line.name)));
        const marks = splits.map((split) => split.watermark).filter(isTime);
        const skew = marks.length > 1 ? `The newest split is ${span(Math.max(...marks) - Math.min(...marks))} of event time ahead of the oldest. ` : "";
        const rest = leftOut ? `${count(leftOut)} more lines, between the slowest and the fastest, are not drawn. ` : "";
        const unassigned = details.vertices.reduce((sum, vertex) => sum + (vertex.windrow["unassigned-splits"] ?? 0), 0);
        const unread = unassigned ? `${count(unassigned)} splits are found that no reader has yet. ` : "";
        const idle = splits.filter((split) => split.idle).length;
        const times = lines.length ? "" : "There are no watermarks yet. ";
        words.textContent = `${times}${skew}${unread}${idle ? `${count(idle)} of ${count(splits.length)} splits are idle. ` : ""}${rest}Event time is shown in UTC.`;
        table.show(splits.slice(0, 200).map((split) => ({ ...split, now: details.now })), (row) => `${row.vertex}/${row.subtask}/${row.split}`);
        if (splits.length > 200) words.textContent += ` The table has the 200 splits that are furthest behind, of ${count(splits.length)}.`;
      };
      return { places: [element("h2", {}, "Watermarks over processing time"), chart, names, words, table.place], update };
    },
  },
  batches: {
    label: "Batches",
    paths: ["batches"],
    make() {
      const chart = element("div", { class: "scroll" });
      const words = element("p", { class: "quiet" });
      const table = new Table([
        { label: "Batch", value: (row) => (row.count > 1 ? `${row.id} and ${row.count - 1} before it` : String(row.id)) },
        { label: "At", value: (row) => clock(row["end-time"]) },
        { label: "Duration", number: true, value: (row) => span(row.duration) },
        { label: "Longest", number: true, value: (row) => span(row.longest) },
        { label: "Records in", number: true, value: (row) => count(row.in) },
        { label: "Records out", number: true, value: (row) => count(row.out) },
        { label: "To be read", number: true, value: (row) => count(row["pending-records"]) },
        { label: "Parts, as Spark last reported them", value: (row) => Object.entries(row.parts).filter(([, millis]) => millis > 0).map(([name, millis]) => `${name} ${span(millis)}`).join(", ") },
      ]);
      const update = (_, batches) => {
        const shown = batches.map((batch, index) => ({
          ...batch,
          in: batch["records-in"] - (batches[index - 1]?.["records-in"] ?? 0),
          out: batch["records-out"] - (batches[index - 1]?.["records-out"] ?? 0),
        }));
        chart.replaceChildren(durations(batches));
        words.textContent = batches.length ? `${trend(batches)} ${lag(batches)}` : "No batch is over yet.";
        table.show(shown.slice(-50).reverse(), (row) => row.id);
      };
      return { places: [element("h2", {}, "How long batches took"), chart, words, table.place], update };
    },
  },
  checkpoints: {
    label: "Checkpoints",
    paths: ["checkpoints"],
    make() {
      const words = element("p");
      const table = new Table([
        { label: "Checkpoint", value: (row) => (row.is_savepoint ? "savepoint" : String(row.id)) },
        { label: "Completed", value: (row) => clock(row.latest_ack_timestamp) },
        { label: "Took", number: true, value: (row) => span(row.end_to_end_duration) },
        { label: "State", number: true, value: (row) => bytes(row.state_size) },
        { label: "Path", name: true, value: (row) => row.external_path ?? "" },
      ]);
      const update = (details, { latest, history, directory }) => {
        const age = latest.completed ? `The last one was completed ${span(details.now - latest.completed.latest_ack_timestamp)} ago. ` : "";
        const none = history.length ? "" : details.runtime === "local" ? "The local runtime keeps no checkpoints." : "There is no checkpoint yet; a batch query has none.";
        words.textContent = `${age}${directory ? `They are in ${directory}. ` : ""}${none}`;
        table.show(history.slice(0, 50), (row) => row.id);
      };
      return { places: [words, table.place], update };
    },
  },
  exceptions: {
    label: "Exceptions",
    paths: ["exceptions"],
    make() {
      const place = element("div");
      const update = (_, { exceptionHistory: { entries } }) => {
        const said = entries.map((entry) => entry.timestamp).join();
        if (place.dataset.said === said && place.childElementCount) return;
        place.dataset.said = said;
        place.replaceChildren(...(entries.length ? entries.map(failure) : [element("p", { class: "quiet" }, "Nothing has failed.")]));
      };
      return { places: [place], update };
    },
  },
  settings: {
    label: "Settings and accumulators",
    paths: ["config", "jobmanager/config", "accumulators", "metrics"],
    make(job) {
      const pair = (one, two) => new Table([{ label: one, name: true, value: (row) => row[0] }, { label: two, name: true, value: (row) => row[1] }]);
      const [accumulators, metrics, settings, facts] = [pair("Accumulator", "Value"), pair("Metric", "Value"), pair("Setting", "Value"), pair("Job", "")];
      const update = async (details, config, made, counted, names) => {
        accumulators.show(counted["user-task-accumulators"].map((each) => [each.name, each.value]), (row) => row[0]);
        settings.show(made.map((each) => [each.key, each.value]), (row) => row[0]);
        warnings.replaceChildren(...details.warnings.map((words) => element("li", { class: "warn" }, words)));
        const of = config["execution-config"];
        facts.show([
          ["Mode", of["execution-mode"]], ["Parallelism", of["job-parallelism"]], ["Restarts", of["restart-strategy"]],
          ["Object reuse", String(of["object-reuse-mode"])],
          ...Object.entries(details.versions), ...Object.entries(of["user-config"]),
        ], (row) => row[0]);
        const shown = names.map((each) => each.id).filter((id) => !/\.(num_records_in|num_records_out|busy_time_ms)$/.test(id));
        const values = [];
        for (let first = 0; first < shown.length; first += 100) { // an address has no room for thousands of names
          const asked = shown.slice(first, first + 100).join();
          values.push(...await ask(`${job.path}/metrics?get=${encodeURIComponent(asked)}`));
        }
        metrics.show(values.map((each) => [each.id, each.value]), (row) => row[0]);
      };
      const warnings = element("ul");
      const part = (title, table) => [element("h3", {}, title), table.place];
      return {
        places: [warnings, ...part("Accumulators", accumulators), ...part("Metrics of functions", metrics), ...part("Job", facts), ...part("Settings of the program", settings)],
        update,
      };
    },
  },
};

function stored(state, now) {
  if (!state) return "";
  const said = [`${count(state.keys)} keys stored`];
  if (state.tables) said.push(`${count(state.tables)} tables of columns`);
  if (state["next-event-time-timer"] !== null) said.push(`next timer at ${eventTime(state["next-event-time-timer"], now)} of event time`);
  if (state["next-processing-time-timer"] !== null) said.push(`next timer of processing time at ${clock(state["next-processing-time-timer"])}`);
  said.push(`${bytes(state["bytes-written"])} written so far`);
  return said.join(", ");
}

function waiting(finding) {
  return finding.waiting.length ? element("span", { class: "quiet" }, ` (waiting: ${finding.waiting.join(", ")})`) : null;
}

function failure(entry) {
  const where = entry.taskName ? [" in operator ", element("code", {}, entry.taskName)] : [];
  const what = entry.element ? [element("p", {}, "The element: ", element("code", {}, entry.element))] : [];
  return element("article", {},
    element("h3", { class: "bad" }, `${entry.exceptionName}: ${entry.message.split("\n")[0]}`, ...where),
    element("p", { class: "quiet" }, new Date(entry.timestamp).toLocaleString("en-GB")),
    ...what, element("pre", { tabindex: 0 }, entry.stacktrace));
}

function trend(batches) {
  const mean = (some) => some.reduce((sum, batch) => sum + batch.duration, 0) / some.length;
  if (batches.length < 8) return "";
  const half = Math.floor(batches.length / 2);
  const [before, now] = [mean(batches.slice(0, half)), mean(batches.slice(half))];
  const longer = now / Math.max(before, 1);
  if (longer > 1.3) return `Batches take longer than before: ${span(now)} on average, after ${span(before)}. What comes may be more than the job keeps up with.`;
  if (longer < 0.77) return `Batches take less time than before: ${span(now)} on average, after ${span(before)}.`;
  return `Batches take as long as before: ${span(now)} on average.`;
}

// How many records the sources still have, and whether that grows: then the job does not keep up.
function lag(batches) {
  const known = batches.map((batch) => batch["pending-records"]).filter((pending) => pending !== null);
  if (!known.length) return "";
  const [before, now] = [known[Math.floor(known.length / 2)], known.at(-1)];
  const said = `${count(now)} records are still to be read.`;
  if (known.length < 8 || now === before) return said;
  return now > before ? `${said} They were ${count(before)}: more come than the job reads.` : `${said} They were ${count(before)}.`;
}

function route() {
  const found = /^#\/jobs\/(.+)$/.exec(location.hash);
  view = found ? new Job(decodeURIComponent(found[1])) : new Jobs();
  run(view);
}

async function run(mine) {
  let lost = false; // what an action has said stays until the next one
  while (mine === view) {
    let pause = 2000;
    if (!document.hidden) {
      try {
        pause = await mine.update();
        if (lost) say("");
        lost = false;
      } catch (error) {
        lost = true;
        say(error instanceof TypeError ? "The program does not answer any more: it has ended, or the connection is lost. Its history stays in a file: windrow history." : error.message);
      }
    }
    await new Promise((done) => setTimeout(done, pause));
  }
}

addEventListener("hashchange", () => {
  if (location.hash !== "#content") route();
});
route();
