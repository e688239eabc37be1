"use strict";
// Opens each page of the site in a frame of the width of a telephone, a tablet and a screen, and writes what is wrong.
// All of it runs before the load of this page ends, so that the browser prints the page with the results.
const widths = [390, 820, 1400];
const wrong = [];
const ids = new Map();
const links = [];
const frame = document.createElement("iframe");
frame.style.cssText = "border: 0; height: 900px";
document.body.append(frame);

function say(page, text) {
  wrong.push(page + ": " + text);
}

function layout(page, root) {
  for (const width of widths) {
    frame.style.width = width + "px";
    if (root.scrollWidth > width) {
      say(page, "is " + root.scrollWidth + " pixels wide in a window of " + width);
    }
  }
}

function collect(page, content) {
  ids.set(page, new Set([...content.querySelectorAll("[id]")].map((element) => element.id)));
  for (const link of content.querySelectorAll("a[href]")) {
    links.push([page, link.href]);
  }
  for (const field of content.querySelectorAll("input, select")) {
    if (!field.labels.length && !field.getAttribute("aria-label")) say(page, "the field " + field.id + " has no label");
  }
}

function search(page, content) {
  const all = [...content.querySelectorAll("section.area li")];
  const shown = () => all.filter((item) => item.checkVisibility());
  const set = (id, value) => {
    const field = content.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const expect = (what, is) => is || say(page, what);
  expect("shows no refusal", shown().length > 0);
  expect("does not show all refusals", shown().length === all.length);

  set("words", "no such words anywhere");
  expect("a search for nothing finds something", shown().length === 0);
  const first = all[0].querySelector("a").textContent;
  set("words", first);
  expect("the search does not find `" + first + "`", shown().includes(all[0]) && shown().length < all.length);
  const count = content.getElementById("count").textContent;
  expect("the count is `" + count + "` and not " + shown().length, parseInt(count) === shown().length);
  expect("the address does not keep the search", frame.contentWindow.location.hash.includes("words="));
  set("words", "");

  for (const id of ["area", "class", "code"]) {
    const values = [...content.getElementById(id).options].map((option) => option.value).filter((value) => value);
    expect("the filter " + id + " has no values", values.length > 0);
    for (const value of values) {
      set(id, value);
      const found = shown().length;
      expect("the filter " + id + " = " + value + " finds " + found, found > 0 && found <= all.length);
    }
    set(id, "");
  }
  expect("the empty search does not show all again", shown().length === all.length);

  const key = new frame.contentWindow.KeyboardEvent("keydown", { key: "/", bubbles: true });
  content.body.dispatchEvent(key);
  expect("the key / does not lead to the search", content.activeElement === content.getElementById("words"));
}

function finish() {
  for (const [page, link] of links) {
    if (!link.startsWith(site)) {
      if (!link.startsWith("https://")) say(page, "leads out of the site: " + link);
      continue;
    }
    const [path, id] = link.slice(site.length).split("#");
    const found = ids.get(path);
    if (!found) say(page, "leads to no page: " + link);
    else if (id && !id.includes("=") && !found.has(decodeURIComponent(id))) say(page, "leads to no place: " + link);
  }
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = ["opened " + ids.size + " of " + pages.length, ...wrong].join("\n");
  frame.remove();
  document.body.append(result);
}

let next = 0;
function open() {
  frame.style.width = widths[0] + "px";
  frame.src = site + pages[next];
}
frame.onload = () => {
  const content = frame.contentDocument;
  const page = pages[next];
  if (!content || !content.querySelector("main h1")) say(page, "has no content");
  else {
    collect(page, content);
    layout(page, content.documentElement);
    if (content.getElementById("words")) search(page, content);
  }
  next += 1;
  if (next < pages.length) open();
  else finish();
};
open();
