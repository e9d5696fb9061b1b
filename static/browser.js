// The page without a program behind it: a web worker replies to the addresses of the page.
// What is /theory/x on a server is ?page=theory/x here; the address of a question stays the same.
import { enliven } from "./page.js";

const DOWNLOAD = /^\?page=\w+\.(json|svg)&/;
const SECONDS = Number(document.querySelector("form").dataset.seconds);
const state = document.getElementById("state");
let worker;
let began = ""; // what is said of the start when it is over
let waiting = null; // the request that is not replied to yet
let shown = ""; // the query of the page that is on the screen or on its way
let timer = 0;

function start() {
  began = "";
  state.textContent = "Python starts in your browser. That takes some seconds.";
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  worker.onerror = () => fail("a file of this page does not load");
  worker.onmessage = ({ data }) => {
    if (data.failed) fail(data.failed);
    else if (data.reply) show(data);
    else {
      began = `Python started in ${data.seconds.toFixed(1)} s.`;
      state.textContent = began;
      if (waiting) work();
    }
  };
}

function fail(why) {
  state.textContent = `Python did not start, so this page answers nothing: ${why}.`;
}

function work() {
  state.textContent = "Python works.";
  clearTimeout(timer);
  timer = setTimeout(() => stop(`No answer within ${SECONDS} s: the command line has no limit.`), 1000 * SECONDS);
}

// Python hears nothing while it works, so another one takes its place.
function stop(words) {
  clearTimeout(timer);
  waiting = null;
  worker.terminate();
  start();
  window.dispatchEvent(new Event("pageshow")); // the form is at rest
  document.getElementById("said").textContent = words;
}

function ask(search) {
  const [, page = "", query] = /^\?(?:page=([^&]*)(?:&|$))?(.*)$/.exec(search || "?");
  waiting = { path: `/${decodeURIComponent(page)}`, query };
  worker.postMessage(waiting);
  if (began) work();
}

function visit(search, hash) {
  history.pushState(null, "", `${search}${hash}`);
  shown = location.search;
  ask(shown);
}

function show({ path, query, reply: [kind, text] }) {
  if (path !== waiting?.path || query !== waiting.query) return; // something else was asked since
  clearTimeout(timer);
  waiting = null;
  state.textContent = began;
  window.dispatchEvent(new Event("pageshow"));
  if (!kind.startsWith("text/html")) {
    const address = URL.createObjectURL(new Blob([text], { type: kind }));
    Object.assign(document.createElement("a"), { href: address, download: path.slice(1) }).click();
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  link(page);
  for (const part of ["nav", "main"]) {
    document.querySelector(part).replaceWith(page.querySelector(part));
  }
  document.title = page.title;
  enliven();
  if (!location.hash) window.scrollTo(0, 0);
  document.getElementById(location.hash.slice(1) || "main")?.focus();
}

// Links of the page lead to their place here, in another tab as well.
function link(root) {
  for (const a of root.querySelectorAll('a[href^="/"]')) {
    const { pathname, search, hash } = new URL(a.getAttribute("href"), "http://page/");
    const query = [pathname === "/" ? "" : `page=${pathname.slice(1)}`, search.slice(1)];
    a.setAttribute("href", `?${query.filter(Boolean).join("&")}${hash}`);
  }
}

document.addEventListener("click", (event) => {
  const { search, hash } = event.target.closest('a[href^="?"]') ?? {};
  if (search === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (DOWNLOAD.test(search)) ask(search);
  else visit(search || "?", hash);
});

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented) return stop("Stopped."); // the button said Stop
  event.preventDefault();
  visit(`?${new URLSearchParams(new FormData(event.target))}`, "#answer");
});

window.addEventListener("popstate", () => {
  if (location.search === shown) return; // another place on the same page
  shown = location.search;
  ask(shown);
});

start();
link(document);
if (location.search) visit(location.search, location.hash);
