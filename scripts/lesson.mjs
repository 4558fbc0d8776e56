// How long a lesson takes: node scripts/lesson.mjs [TABLES]
// Plays each preset for classes at tables of people who need 30 to 45 seconds a question, by a clock of its own, and prints
// minutes, questions a person, and how many tables agree. The people have opinions: each prefers a choice, and joins others
// now and then.
import init, { presets, Session } from "../dist/node.js";
import { filled } from "../tests/support/guests.mjs";

await init();

const tables = Number(process.argv[2] ?? 30);
/** Seconds that a person needs for a question. */
const THINKS = [30, 45];
/** Chance that a person who is in the minority joins the majority. */
const JOINS = 0.5;


/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PRINCIPLES = ["maximizing_floor", "maximizing_average", "maximizing_average_floor_constraint", "maximizing_average_range_constraint"];

/** A person with an opinion of the experiment's principles and an amount for each of the two that need one. */
function person(draw) {
  const order = PRINCIPLES.map((one) => [draw() - (one.endsWith("floor_constraint") ? 0.5 : 0), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
  return { order, amount: 1000 * Math.round(11 + 5 * draw()), estimate: 20 + 30 * draw() };
}

/** Values for a form by somebody's opinion; what the opinion says nothing of is filled in plainly. */
function answer({ form, kind }, { order, amount, estimate }, draw) {
  const values = filled(form.fields);
  for (const field of form.fields) {
    if (field.when && !field.when.values.includes(String(values[field.when.field]))) continue;
    const options = (field.options ?? []).map(({ value }) => value);
    const within = (value) => Math.min(Math.max(value, field.least), field.most);
    if (field.input === "order" && options.every((one) => PRINCIPLES.includes(one))) {
      if (field.places.length) field.places.forEach((place, at) => (values[place] = order[at]));
      else values[field.name] = order;
    }
    if (field.input === "choice") values[field.name] = options.includes(order[0]) ? order[0] : options[Math.floor(draw() ** 2 * options.length)];
    if (field.input === "amount") values[field.name] = within(field.most > 100 ? amount : estimate);
    if (field.input === "scale") values[field.name] = within(Math.round(estimate));
    if (field.input === "yes_no" && !field.isFlag) values[field.name] = field.yes.value;
    if (field.input === "text") values[field.name] = `I am for this: ${order[0].replaceAll("_", " ")}, and where it needs an amount, ${amount} dollars.`;
  }
  return values;
}

/** In a round of talk, whoever is in the minority may join the others, and amounts move towards each other. */
function listen(people, draw) {
  const count = (choice) => people.filter(({ order: [first] }) => first === choice).length;
  const favorite = PRINCIPLES.toSorted((a, b) => count(b) - count(a))[0];
  const middle = people.map(({ amount }) => amount).toSorted((a, b) => a - b)[Math.floor(people.length / 2)];
  for (const one of people) {
    if (one.order[0] !== favorite && draw() < JOINS) one.order = [favorite, ...one.order.filter((other) => other !== favorite)];
    if (draw() < JOINS) one.amount = middle;
  }
}

async function lesson({ config }, seed) {
  const draw = random(seed);
  let now = 1_800_000_000_000;
  const begun = now;
  const session = await Session.create({ ...config, seed }, { store: "memory", now: () => now, id: `lesson-${config.protocol}-${seed}` });
  const people = new Map(config.agents.map(({ name }) => [name, person(draw)]));
  const due = new Map();
  let answered = 0;
  let round = null;
  let isOver = false;
  const end = session.run({ attended: true }).then((result) => (isOver = result), (error) => (isOver = { error }));
  while (!isOver) {
    await new Promise((done) => setTimeout(done));
    const open = session.status.open.filter(({ since, form }) => since !== null && form);
    if (!open.length) continue;
    for (const { id } of open) if (!due.has(id)) due.set(id, now + 1000 * (THINKS[0] + draw() * (THINKS[1] - THINKS[0])));
    const next = open.toSorted((a, b) => due.get(a.id) - due.get(b.id))[0];
    now = Math.max(now, Math.round(due.get(next.id)));
    if (next.phase === 2 && next.round !== round) listen([...people.values()], draw);
    round = next.round;
    const values = answer(next, people.get(next.seat), draw);
    answered += 1;
    try {
      session.answer(next.id, values);
    } catch (error) {
      throw new Error(`${config.protocol} ${next.kind}: ${error.message} ${JSON.stringify(values)} ${JSON.stringify(next.form.fields)}`);
    }
  }
  await end;
  if (isOver.error) throw isOver.error;
  const outcome = session.view("owner").outcome;
  return { minutes: (now - begun) / 60_000, questions: answered / people.size, outcome, agreed: hasAgreed(isOver, config.protocol) };
}

/** Whether a group came to an agreement; null where a procedure has none. */
function hasAgreed(result, protocol) {
  if (protocol === "justice") return Boolean(result.consensus ?? result.consensus_reached ?? result.agreed);
  if (protocol === "debate") return result.status === "consensus" || Boolean(result.decided);
  return null;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
for (const preset of presets().filter((one) => one.class)) {
  const all = [];
  for (let seed = 1; seed <= tables; seed += 1) all.push(await lesson(preset, seed));
  const agreed = all.filter((one) => one.agreed).length;
  console.log([preset.id, `${median(all.map(({ minutes }) => minutes)).toFixed(1)} min`, `${median(all.map(({ questions }) => questions)).toFixed(1)} questions a person`,
    all[0].agreed === null ? "no vote" : `${agreed} of ${all.length} tables agree`, JSON.stringify(all[0].outcome)].join(" · "));
}
