// Python in a web worker: it starts, says how long that took, and replies to addresses.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const file = (name) => new URL(name, import.meta.url);
const bytes = async (name) => (await fetch(file(name))).arrayBuffer();

async function start() {
  const began = performance.now();
  const { wheels, packages } = await (await fetch(file("files.json"))).json();
  const archives = wheels.map((name) => bytes(`wheels/${name}`)); // while the runtime loads
  const python = await loadPyodide();
  if (packages.length) await python.loadPackage(packages, { messageCallback() {} });
  for (const archive of archives) python.unpackArchive(await archive, "wheel");
  const { browser_reply } = python.pyimport("rlct.serve.in_browser");
  postMessage({ seconds: (performance.now() - began) / 1000 });
  return browser_reply;
}

const ready = start();
ready.catch((error) => postMessage({ failed: String(error) }));

globalThis.onmessage = async ({ data: { path, query } }) => {
  const reply = JSON.parse((await ready)(path, query));
  postMessage({ path, query, reply });
};
