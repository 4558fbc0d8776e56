// The session cases in Firefox and WebKit; the page tests run them in Chromium.
import { test } from "node:test";
import { serve } from "../../../scripts/serve.mjs";
import { openFirefox } from "../../support/browser.mjs";
import { root } from "../../support/package.mjs";
import { runCases } from "../../support/session.mjs";
import { hasWebKit, openWebKit } from "../../support/webkit.mjs";

async function served(t) {
  const server = await serve(root);
  t.after(() => server.close());
  return server.url;
}

test("in Firefox", async (t) => {
  const firefox = await openFirefox();
  if (!firefox) return t.skip("no Firefox here");
  t.after(() => firefox.close());
  await runCases(t, await firefox.newPage(), await served(t));
});

test("in WebKit", { skip: !hasWebKit && "no WebKitGTK with its driver and Xvfb here" }, async (t) => {
  const webkit = await openWebKit();
  t.after(() => webkit.close());
  const page = { goto: webkit.goto, evaluate: (act, argument) => webkit.evaluate(`return (${act})(arguments[0])`, argument) };
  await runCases(t, page, await served(t));
});
