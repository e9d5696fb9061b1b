// {K < t} filled, beside log volume against log t, whose slope tends to λ.
import { chart, equation, html, legend, powerOfTen, short, slider, valueOf } from "./picture.js";

const PIXELS = 256;
const SAMPLES = 2 ** 19;
const WORK = 1.5e7; // terms that are computed, about 0.2 s
const FEWEST = 40; // samples below t where the curve begins: about 5 % off by then
const BOXES = ["1", "1/2", "1/4", "1/8"];

// Values of K at points that fill the box evenly, under the prior |x|^h: each has an equal share.
export function sample(numbers, radius) {
  const generators = numbers.generators.map((terms) => terms.map(([c, [a, b]]) => [c, a, b]));
  const terms = generators.flat().length;
  const count = Math.min(SAMPLES, Math.max(2 ** 15, Math.floor(WORK / terms)));
  const [p, q] = numbers.prior.map((h) => 1 / (1 + h));
  const values = new Float64Array(count);
  const pixels = new Uint32Array(count);
  const spread = (s, power) => radius * Math.sign(s) * Math.abs(s) ** power;
  for (let k = 0; k < count; k += 1) {
    // The sequence R2: multiples of 1/g and 1/g², g³ = g + 1, from a start off the axes, which
    // it would avoid if they passed through the start.
    const x = spread(2 * ((Math.SQRT2 + 0.7548776662466927 * k) % 1) - 1, p);
    const y = spread(2 * ((Math.sqrt(3) + 0.5698402909980532 * k) % 1) - 1, q);
    let sum = 0;
    for (const generator of generators) {
      let f = 0;
      for (const [c, a, b] of generator) f += c * x ** a * y ** b;
      sum += numbers.ideal ? f * f : Math.abs(f);
    }
    values[k] = sum;
    const column = Math.min(PIXELS - 1, Math.floor(((x / radius + 1) / 2) * PIXELS));
    const row = Math.min(PIXELS - 1, Math.floor(((1 - y / radius) / 2) * PIXELS));
    pixels[k] = row * PIXELS + column;
  }
  return { values, pixels, sorted: values.slice().sort() };
}

// Share of the prior's mass where K < t.
export function share(sorted, t) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

const asymptote = ({ lambda, theta }, x) =>
  valueOf(lambda) * x + (theta - 1) * Math.log10(Math.max(1e-9, -x * Math.LN10));

function plot(sorted, pairs) {
  const first = Math.log10(sorted[sorted.findIndex((k, n) => k > 0 && n >= FEWEST)]);
  const last = Math.log10(sorted.at(-1));
  if (!Number.isFinite(first + last)) return null;
  const steps = Array.from({ length: 81 }, (_, k) => first + ((last - first) * k) / 80);
  const points = steps.map((x) => [x, Math.log10(share(sorted, 10 ** x))]);
  const lowest = points[0][1] - 0.3;
  const anchor = points.find(([, y]) => y > points[0][1] + 0.7) ?? points[0];
  const lines = pairs.map((pair, k) => ({
    style: k ? "dotted" : "exact",
    points: steps
      .filter((x) => x < -0.45) // where −log t is at least 1
      .map((x) => [x, anchor[1] + asymptote(pair, x) - asymptote(pair, anchor[0])]),
  }));
  const picture = chart({
    label: "Volume of K < t against t, both as logarithms",
    xLabel: "log₁₀ t",
    yLabel: "log₁₀ volume",
    xRange: [first, last],
    yRange: [lowest, 0.1],
    curves: [{ style: "strong", points }, ...lines],
  });
  return { ...picture, first, last };
}

function colour(name) {
  const digits = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return [1, 3, 5].map((k) => parseInt(digits.slice(k, k + 2), 16));
}

function fill(canvas, { values, pixels }, t) {
  const inside = new Uint16Array(PIXELS * PIXELS);
  const all = new Uint16Array(PIXELS * PIXELS);
  for (let k = 0; k < values.length; k += 1) {
    all[pixels[k]] += 1;
    if (values[k] < t) inside[pixels[k]] += 1;
  }
  const context = canvas.getContext("2d");
  const image = context.createImageData(PIXELS, PIXELS);
  const [ink, line] = [colour("--accent"), colour("--line")];
  for (let k = 0; k < inside.length; k += 1) {
    // What is thinner than a pixel stays visible.
    const part = inside[k] ? Math.max(0.5, inside[k] / all[k]) : 0;
    const axis = k % PIXELS === PIXELS / 2 || Math.floor(k / PIXELS) === PIXELS / 2;
    image.data.set([...(part ? ink : line), part ? 255 * part : axis ? 255 : 0], 4 * k);
  }
  context.putImageData(image, 0, 0);
}

export function showVolume(place, numbers) {
  const canvas = html("canvas", { width: PIXELS, height: PIXELS, role: "img" });
  const graph = html("div");
  const said = html("p", { class: "reading" });
  const size = html("select", {}, ...BOXES.map((text) => html("option", {}, text)));
  const { input, element: control } = slider("Level t", { step: 0.05 }, show);
  let found;
  let curve;

  function take() {
    found = sample(numbers, valueOf(size.value));
    curve = plot(found.sorted, numbers.pairs);
    if (!curve) return;
    graph.replaceChildren(curve.element);
    const [low, high] = [curve.first, curve.last].map((x) => x.toFixed(2));
    for (const [name, value] of Object.entries({ min: low, max: high })) input.setAttribute(name, value);
    input.value = (curve.first + curve.last) / 2;
    show(Number(input.value));
  }

  function show(x) {
    const volume = share(found.sorted, 10 ** x);
    const [below, above] = [x - 0.5, x + 0.5].map((at) => Math.log10(share(found.sorted, 10 ** at)));
    const slope = Number.isFinite(below) ? short(above - below) : "not known";
    const words = `volume ${short(volume)}, slope ${slope}`;
    fill(canvas, found, 10 ** x);
    curve.mark(x);
    canvas.setAttribute("aria-label", `The set where K < t, filled; ${words}`);
    input.setAttribute("aria-valuetext", `t = ${short(10 ** x)}: ${words}`);
    said.replaceChildren("t = ", powerOfTen(x), `: ${words}. `);
    for (const { name, lambda } of numbers.pairs) {
      said.append(name, equation("λ", lambda), ` ≈ ${short(valueOf(lambda))} `);
    }
  }

  const about = numbers.centre.map((text, k) => (text === "0" ? numbers.names[k] : `${numbers.names[k]} − (${text})`));
  const lines = numbers.pairs.map(({ name }, k) => [
    k ? "dotted" : "exact",
    `${name}λ log t + (θ − 1) log log 1/t, moved up or down to meet the curve`,
  ]);
  size.addEventListener("change", take);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => curve && show(Number(input.value)));
  const fields = html("label", { class: "slider" }, `Box: |${about[0]}| and |${about[1]}| at most `, size);
  new IntersectionObserver((entries, observer) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    take();
    if (!curve) {
      place.textContent = "K takes numbers too small or too large to be counted here.";
      return;
    }
    const shape = html("div", { class: "filled" }, canvas);
    const pair = html("div", { class: "pair" }, shape, graph);
    const words = legend(["strong", "share of the prior's mass in the box where K < t"], ...lines);
    place.replaceChildren(pair, control, said, words, fields);
  }, { rootMargin: "400px" }).observe(place);
}
