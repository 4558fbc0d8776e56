// Rooms that this browser keeps, for views that lead to them. Nothing is loaded where there never was one.
const DATABASE = "quorate-rooms";
/** The id of a room's table: the room's and a number. */
const TABLE = /^([\w-]{22})-(\d+)$/;

/** All rooms: `{ id, title, opened, closed }`, the newest first; none where the browser does not tell. */
export async function keptRooms() {
  try {
    if (!(await indexedDB.databases()).some(({ name }) => name === DATABASE)) return [];
    const { list } = await import("./hosted-rooms.js");
    return (await list()).sort((a, b) => b.opened - a.opened);
  } catch {
    return [];
  }
}

/** Those that are not closed. */
export const openRooms = async () => (await keptRooms()).filter(({ closed }) => !closed);

/** `{ room, table }` of a session that is a table's in one of `rooms`, or null. */
export function tableOf(rooms, session) {
  const [, id, table] = TABLE.exec(session) ?? [];
  const room = id && rooms.find((one) => one.id === id);
  return room ? { room, table: Number(table) } : null;
}

/** Opens the room of a session that is a table's in an open one, so that it is not run apart from the people who sit there.
 * Resolves as `tableOf` does. */
export async function withRoom(session, engine) {
  const found = TABLE.test(session) && tableOf(await openRooms(), session);
  if (found) await (await import("./hosted-rooms.js")).take(found.room.id, engine);
  return found || null;
}
