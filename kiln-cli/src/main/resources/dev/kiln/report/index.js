// Filters the list, and counts what is chosen from it.

/** What all variants of an experiment share. Its conclusion names some of them, and would be found for the others. */
function head(body) {
  const group = body.querySelector(".group").cloneNode(true);
  group.querySelector(".told")?.remove();
  return group.textContent.toLowerCase();
}

const form = document.getElementById("list");
if (form) {
  const search = document.getElementById("search"), selects = [...form.querySelectorAll("select")];
  const groups = [...form.querySelectorAll("tbody")].map(body => ({
    body, head: head(body), rows: [...body.querySelectorAll("tr:not(.group)")],
  }));
  document.getElementById("filters").hidden = false;

  /** What a filter is held against: some things are of the experiment, others of each variant. */
  const matches = (element, by, value) => element.dataset[by.toLowerCase()] === undefined || element.dataset[by.toLowerCase()] === value;

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = selects.filter(select => select.value).map(select => [select.dataset.by, select.value]);
    let found = 0;
    for (const { body, head, rows } of groups) {
      let any = !rows.length && !wanted.some(([by]) => by === "verdict" || by === "JDK") && words.every(word => head.includes(word));
      for (const row of rows) {
        const text = head + " " + row.textContent.toLowerCase();
        row.hidden = !words.every(word => text.includes(word)) || !wanted.every(([by, value]) => matches(row, by, value));
        any ||= !row.hidden;
      }
      body.hidden = !any || !wanted.every(([by, value]) => matches(body, by, value));
      if (!body.hidden) found++;
    }
    document.getElementById("found").textContent = found + " of " + groups.length;
  };

  const count = () => {
    const chosen = form.querySelectorAll("input[name=v]:checked").length;
    document.getElementById("chosen").textContent = chosen ? chosen + " chosen" : "choose variants in the list";
    form.querySelector("#over button").disabled = !chosen;
  };

  search.addEventListener("input", filter);
  for (const select of selects) select.addEventListener("change", filter);
  form.addEventListener("change", count);
  search.addEventListener("keydown", event => { if (event.key === "Enter") event.preventDefault(); });
  filter();
  count();
}
