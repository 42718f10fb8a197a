import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { statement } from "../queue/statement.ts";
import { createJoinToken, type JoinToken } from "./join_token.ts";

// No row = the name is taken.
const INSERT =
  `INSERT INTO sites (name, created_at) VALUES (:name, :now) ON CONFLICT (name) DO NOTHING RETURNING id`;

/** Makes a site, without a key until a machine enrols with the token. @throws HttpError invalid_input: the name is taken */
export async function createSite(ctx: EdgeContext, name: string): Promise<JoinToken> {
  const { rows: [site] } = await ctx.db.execute(statement(INSERT, { name, now: ctx.now() }));
  if (site === undefined) throw new HttpError("invalid_input", { text: "כבר יש אתר בשם הזה." });
  return await createJoinToken(ctx, Number(site.id));
}
