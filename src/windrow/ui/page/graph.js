// The job's graph: a column for each place in a chain, level by level, drawn once and brought up to date.

import { heat, rate, share, svg } from "./format.js";

const WIDTH = 218;
const HEIGHT = 74;
const ACROSS = 74;
const DOWN = 22;
const TOP = 30;

export function layOut(plan) {
  const nodes = new Map(plan.nodes.map((node) => [node.id, { ...node, depth: 0, row: 0 }]));
  const links = [];
  for (const node of plan.nodes) {
    for (const input of node.inputs ?? []) {
      if (nodes.has(input.id)) links.push({ source: input.id, target: node.id, ...input });
    }
  }
  placeInChains(nodes, links);
  const columns = columnsOf(nodes);
  order(columns, nodes, links);
  const bands = [];
  columns.forEach((column, x) => {
    const last = bands.at(-1);
    const level = column[0].level;
    if (last && last.level === level) last.to = x;
    else bands.push({ level, from: x, to: x });
    column.forEach((node, row) => {
      node.x = 10 + x * (WIDTH + ACROSS);
      node.y = TOP + row * (HEIGHT + DOWN);
    });
  });
  const rows = Math.max(1, ...columns.map((column) => column.length));
  return {
    nodes: [...nodes.values()],
    links: links.map((link) => ({ ...link, from: nodes.get(link.source), to: nodes.get(link.target) })),
    bands,
    width: 20 + columns.length * (WIDTH + ACROSS) - ACROSS,
    height: TOP + rows * (HEIGHT + DOWN),
  };
}

// How deep in its level's chains an operator stands.
function placeInChains(nodes, links) {
  for (let turn = 0, moved = true; moved && turn <= nodes.size; turn += 1) {
    moved = false;
    for (const link of links) {
      const [source, target] = [nodes.get(link.source), nodes.get(link.target)];
      if (source.level === target.level && target.depth <= source.depth) {
        target.depth = source.depth + 1;
        moved = true;
      }
    }
  }
}

function columnsOf(nodes) {
  const found = new Map();
  for (const node of nodes.values()) {
    const key = node.level * 100_000 + node.depth;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(node);
  }
  return [...found.entries()].sort((one, two) => one[0] - two[0]).map(([, column]) => column);
}

// Who is fed from above stands above: a few sweeps, forth and back, by the mean row of neighbours.
function order(columns, nodes, links) {
  columns.forEach((column) => column.forEach((node, row) => (node.row = row)));
  const before = new Map();
  const behind = new Map();
  for (const link of links) {
    push(before, link.target, nodes.get(link.source));
    push(behind, link.source, nodes.get(link.target));
  }
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const neighbours = sweep % 2 ? behind : before;
    for (const column of sweep % 2 ? [...columns].reverse() : columns) {
      const mean = new Map(column.map((node) => [node, meanRow(neighbours.get(node.id), node.row)]));
      column.sort((one, two) => mean.get(one) - mean.get(two));
      column.forEach((node, row) => (node.row = row));
    }
  }
}

function meanRow(neighbours, otherwise) {
  if (!neighbours?.length) return otherwise;
  return neighbours.reduce((sum, node) => sum + node.row, 0) / neighbours.length;
}

function push(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

export class Graph {
  constructor(plan, choose) {
    const laid = layOut(plan);
    this.cards = new Map();
    this.drawing = svg("svg", { width: laid.width, height: laid.height, role: "group", "aria-label": "Operators by level" });
    const arrow = svg("marker", { id: "arrow", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 6, markerHeight: 6, orient: "auto" });
    arrow.append(svg("path", { d: "M0 0 L10 5 L0 10 z" }));
    this.drawing.append(svg("defs", {}, arrow));
    laid.bands.forEach((band, index) => this.drawing.append(...drawBand(band, index, laid.height)));
    for (const link of laid.links) this.drawing.append(...drawLink(link));
    for (const node of laid.nodes) this.drawing.append(this.drawNode(node, choose));
  }

  drawNode(node, choose) {
    const title = svg("text", { x: 10, y: 20, class: "title" }, shorten(node.description, 27));
    const rates = svg("text", { x: 10, y: 38 });
    const form = svg("text", { x: 10, y: 54, class: "quiet-text" });
    const meter = svg("rect", { x: 10, y: HEIGHT - 12, width: 0, height: 6, rx: 3, class: "meter" });
    const card = svg(
      "g",
      {
        class: `node ${node.kind}`,
        transform: `translate(${node.x} ${node.y})`,
        tabindex: 0,
        role: "button",
        onclick: () => choose(node.id),
        onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            choose(node.id);
          }
        },
      },
      svg("title", {}, node.description),
      svg("rect", { class: "card", width: WIDTH, height: HEIGHT, rx: node.kind === "operator" ? 8 : HEIGHT / 3 }),
      title,
      rates,
      form,
      svg("rect", { class: "track", x: 10, y: HEIGHT - 12, width: WIDTH - 20, height: 6, rx: 3 }),
      meter,
    );
    this.cards.set(node.id, { card, rates, form, meter, name: node.description });
    return card;
  }

  update(vertices, held, chosen) {
    for (const vertex of vertices) {
      const drawn = this.cards.get(vertex.id);
      if (!drawn) continue;
      const of = vertex.windrow;
      const arrives = vertex.parallelism > 1 ? `×${vertex.parallelism}  ` : "";
      drawn.rates.textContent = arrives + (of.kind === "sink" ? `${rate(of["records-in-per-second"])} in`
        : of.kind === "source" ? `${rate(of["records-out-per-second"])} out`
        : `${rate(of["records-in-per-second"])} in, ${rate(of["records-out-per-second"])} out`);
      drawn.form.textContent = of.kind === "sink" ? "" : `${of.columns ? "columns" : "rows"}, ${share(of.share)} of the time`;
      drawn.meter.setAttribute("width", Math.round((WIDTH - 20) * Math.min(of.share, 1)));
      drawn.meter.setAttribute("class", `meter heat-${Math.max(1, heat(of.share))}`);
      drawn.card.classList.toggle("held", held.has(vertex.id));
      drawn.card.classList.toggle("chosen", vertex.id === chosen);
      drawn.card.setAttribute("aria-label", `${drawn.name}: ${drawn.rates.textContent}, ${drawn.form.textContent}`);
    }
  }
}

function drawBand(band, index, height) {
  const x = 2 + band.from * (WIDTH + ACROSS);
  const width = (band.to - band.from + 1) * (WIDTH + ACROSS) - ACROSS + 16;
  const label = svg("text", { x: x + 8, y: 18, class: "quiet-text" }, `level ${band.level}`);
  return index % 2 ? [svg("rect", { class: "band", x, y: 0, width, height, rx: 8 }), label] : [label];
}

function drawLink(link) {
  const [x1, y1] = [link.from.x + WIDTH, link.from.y + HEIGHT / 2];
  const [x2, y2] = [link.to.x, link.to.y + HEIGHT / 2];
  const bend = Math.max(24, (x2 - x1) / 2);
  const kind = `${link.exchange === "chained" ? "" : " exchange"}${link.side_output ? " side" : ""}`;
  const path = svg("path", {
    class: `edge${kind}`,
    d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}`,
    "marker-end": "url(#arrow)",
  });
  const words = link.exchange === "chained" ? [] : [link.ship_strategy];
  if (link.side_output) words.push(shorten(link.side_output, 12));
  const text = { class: "quiet-text", x: x2 - 8, y: y2 - 6, "text-anchor": "end" };
  return words.length ? [path, svg("text", text, words.join(" "))] : [path];
}

function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
