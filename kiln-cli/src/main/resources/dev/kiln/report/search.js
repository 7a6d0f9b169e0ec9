// A search that goes on: its page is asked for again every few seconds, and what has changed is replaced.

const EVERY_MILLIS = 3000;
const parts = page => [...page.querySelectorAll("[data-fresh]")];
const goesOn = page => page.querySelector("[data-goes-on]") !== null;

function take(page) {
  const fresh = new Map(parts(page).map(part => [part.dataset.fresh, part]));
  for (const part of parts(document)) {
    const now = fresh.get(part.dataset.fresh);
    if (now && now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
  }
  watchWidths();
}

async function again() {
  let more = true, cut = true;
  try {
    const answer = await fetch(location.href);
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      take(page);
      more = goesOn(page);
      cut = false;
    }
  } catch {
    // The next look may find the server again.
  }
  document.getElementById("cut").hidden = !cut;
  if (more) setTimeout(again, EVERY_MILLIS);
}
setTimeout(again, EVERY_MILLIS);
