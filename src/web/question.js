/** Builds the ask for a callback: `head` is JSON with the small fields and the roles of the messages. */
export function question(head, system, contents, schema, abort, make) {
  const [id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, roles] = JSON.parse(head);
  const messages = roles.map((role, place) => ({ role, content: contents[place] }));
  const ask = { id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, messages, system };
  if (schema) ask.schema = JSON.parse(schema);
  lazily(ask, "signal", () => abort.signal);
  lazily(ask, "facts", () => make(false));
  lazily(ask, "form", () => make(true));
  return ask;
}

/** Defines a property whose value is computed on first access. */
function lazily(object, name, make) {
  const settle = (value) => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}
