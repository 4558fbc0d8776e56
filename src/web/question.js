/** An ask as a callback gets it: what is small of it as JSON, with the roles of its messages; the rest beside that. */
export function question(told, system, contents, schema, abort, make) {
  const [id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, roles] = JSON.parse(told);
  const messages = roles.map((role, place) => ({ role, content: contents[place] }));
  const ask = { id, session, seat, protocol, kind, phase, round, attempt, language, stop, maxTokens, model, temperature, topP, messages, system };
  if (schema) ask.schema = JSON.parse(schema);
  lazily(ask, "signal", () => abort.signal);
  lazily(ask, "facts", () => make(false));
  lazily(ask, "form", () => make(true));
  return ask;
}

/** Gives an object a property whose value is made when it is first looked at. */
function lazily(object, name, make) {
  const settle = (value) => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
    return value;
  };
  Object.defineProperty(object, name, { get: () => settle(make()), set: settle, enumerable: true, configurable: true });
}
