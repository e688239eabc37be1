"use strict";
const items = [...document.querySelectorAll("section.area li")];
const areas = [...document.querySelectorAll("section.area")];
const field = (name) => document.getElementById(name);
const fields = ["words", "area", "class", "code"].map(field);
const texts = new Map(items.map((item) => [item, (item.textContent + " " + item.dataset.words).toLowerCase()]));

function show() {
  const [words, area, kind, code] = fields.map((field) => field.value);
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word);
  let count = 0;
  for (const item of items) {
    const fits =
      (!area || item.closest("section").dataset.area === area) &&
      (!kind || item.dataset.class.split("|").includes(kind)) &&
      (!code || item.dataset.code === code) &&
      wanted.every((word) => texts.get(item).includes(word));
    item.hidden = !fits;
    count += fits;
  }
  for (const section of areas) {
    section.hidden = !section.querySelector("li:not([hidden])");
  }
  field("count").textContent = count === 1 ? "1 refusal" : count + " refusals";
}

// The address keeps the search, so that a link can carry one: index.html#words=free&area=memory
function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const field of fields) {
    field.value = given.get(field.id) ?? "";
  }
  show();
}

function keep() {
  const chosen = fields.filter((field) => field.value).map((field) => [field.id, field.value]);
  history.replaceState(null, "", chosen.length ? "#" + new URLSearchParams(chosen) : location.pathname);
  show();
}

for (const field of fields) {
  field.addEventListener("input", keep);
}
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", () => {
  if (location.hash.includes("=")) read();
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|SELECT)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    field("words").focus();
  }
});
if (location.hash.includes("=")) read();
