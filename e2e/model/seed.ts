/** Which random histories are lived. */

const given = Deno.env.get("SEED") ?? 1_057_593_997;

/** The same for everybody, so that a red run tells of the change before it; `SEED=random` looks for new histories. */
export const SEED = given === "random" ? Math.floor(Math.random() * 0x7fff_0000) : Number(given);
