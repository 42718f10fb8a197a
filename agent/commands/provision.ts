import { z } from "zod";
import { joinTokenSchema, siteSchema } from "shared/admin_api.ts";
import { errorBodySchema, type ErrorCode } from "shared/error_code.ts";
import { newPasswordSchema, userSchema } from "shared/http_api.ts";
import { installLine } from "shared/install_line.ts";
import { ExitError } from "../exit_error.ts";
import { errorText } from "../log.ts";
import type { Command, CommandContext } from "./command.ts";
import { ask, readLine } from "./read_input.ts";

/** Only the fields in use: an edge of another version may write the others differently. */
const tokenSchema = joinTokenSchema.pick({ joinToken: true, expiresAt: true });
const loggedInSchema = userSchema.pick({ firstPassword: true, lacksSecondFactor: true }).partial();
const sitesSchema = z.object({ items: z.array(siteSchema.pick({ id: true, name: true })) });

/** Remedies for these refusals, for the person at the terminal. Other refusals keep the edge's own sentence. */
const TODO: Partial<Record<ErrorCode, string>> = {
  wrong_credentials: "username or password is wrong",
  wrong_code: "the code is wrong or used up; wait for the next one, or give a recovery code",
  too_many_attempts: "too many tries; wait fifteen minutes",
  first_password_over:
    "this first password is older than seven days; deno task admin:password on the server sets another",
  second_factor_required: "log in at the edge's address and turn on a second factor first",
  not_allowed: "this user is no administrator",
};

export const provisionCommand: Command = {
  options: { site: { type: "string" }, again: { type: "boolean" } },
  maxArgs: 1,

  async run(context) {
    const { args: [username], options, config, print } = context;
    const { site, again } = options;
    if (username === undefined) {
      throw new ExitError("usage", "Cannot provision: add an administrator's username");
    }
    if (typeof site !== "string" || site.trim() === "") {
      throw new ExitError("usage", "Cannot provision: add the site's name with --site");
    }
    const edge = new AdminDoor(context);
    const given = await login(edge, username, context.stop);
    try {
      if (given.isFirst) {
        given.password = await chooseOwn(edge, given.password, context.stop);
        Deno.stderr.writeSync(
          new TextEncoder().encode("The new password is set. It is also your password for the screens.\n"),
        );
      }
      if (given.lacksSecondFactor) throw refusal("second_factor_required");
      const path = again ? await tokenPathOf(edge, site) : "/api/admin/sites";
      const proof = await proofAfter(given, context.stop);
      const body = again ? { proof } : { name: site, proof };
      const { joinToken, expiresAt } = tokenSchema.parse(await edge.ask("POST", path, body));
      print(installLine(new URL(config.edgeUrl).origin, joinToken));
      print(`Valid once, until ${new Date(expiresAt).toISOString()}.`);
    } finally {
      await edge.logout();
    }
  },
};

interface GivenLogin {
  password: string;
  /** Whether the edge required a code. */
  hasSecondFactor: boolean;
  /** Whether another person chose the password. It then only serves to choose a new one. */
  isFirst: boolean;
  /** Whether the edge refuses these administrators until they turn on a second factor. */
  lacksSecondFactor: boolean;
}

/** Logs in, with a code as well if the edge requires one. */
async function login(edge: AdminDoor, username: string, stop: AbortSignal): Promise<GivenLogin> {
  const password = await readSecret("ADMIN_PASSWORD", "Password:", stop);
  try {
    return { password, hasSecondFactor: false, ...await open(edge, { username, password }) };
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "second_factor_needed") throw error;
    const code = await readSecret("ADMIN_CODE", "Code:", stop);
    return { password, hasSecondFactor: true, ...await open(edge, { username, password, code }) };
  }
}

async function open(edge: AdminDoor, login: { username: string; password: string; code?: string }) {
  const user = loggedInSchema.safeParse(await edge.ask("POST", "/api/auth/login", login)).data;
  return { isFirst: user?.firstPassword ?? false, lacksSecondFactor: user?.lacksSecondFactor ?? false };
}

/** Replaces a first password by the person's own, as the screens do, and returns it. */
async function chooseOwn(edge: AdminDoor, currentPassword: string, stop: AbortSignal): Promise<string> {
  const question = "This is a first password. Choose another with at least 8 characters:";
  const newPassword = await readSecret("ADMIN_NEW_PASSWORD", question, stop);
  if (newPassword === "") {
    throw new ExitError(
      "refused",
      "Cannot provision: a first password can only be used to choose another (new_password_required); " +
        "run this in a terminal, add the new one as the next input line, or set ADMIN_NEW_PASSWORD",
    );
  }
  if (!newPasswordSchema.safeParse(newPassword).success) throw notTaken("it needs 8 to 200 characters");
  if (!Deno.env.get("ADMIN_NEW_PASSWORD") && Deno.stdin.isTerminal()) {
    const again = await ask("Repeat the new password:", stop, { isHidden: true });
    if (again !== newPassword) throw notTaken("the two differ");
  }
  try {
    await edge.ask("POST", "/api/auth/password", { currentPassword, newPassword });
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "invalid_input") throw error;
    throw notTaken("it equals the first one, is a name, or is easily guessed");
  }
  return newPassword;
}

function notTaken(why: string): ExitError {
  return new ExitError(
    "refused",
    `Cannot provision: the new password was refused: ${why}; run this again`,
  );
}

/** Asks for the proof that a join token needs: the password again, and another code, because each code is good once. */
async function proofAfter({ password, hasSecondFactor }: GivenLogin, stop: AbortSignal) {
  if (!hasSecondFactor) return { password };
  const question = "Another code (each works once; wait for the next, or use a recovery code):";
  return { password, code: await readSecret("ADMIN_NEXT_CODE", question, stop) };
}

async function readSecret(variable: string, question: string, stop: AbortSignal): Promise<string> {
  const given = Deno.env.get(variable);
  if (given) return given;
  return Deno.stdin.isTerminal() ? await ask(question, stop, { isHidden: true }) : await readLine(stop);
}

/** An answer that refuses, with its code if it has one. */
class Refused extends ExitError {
  constructor(message: string, readonly code: ErrorCode | undefined) {
    super("refused", message);
  }
}

function refusal(code: ErrorCode | undefined, sentence = ""): Refused {
  const todo = (code && TODO[code]) ?? sentence;
  return new Refused(`Cannot provision: ${todo}${code ? ` (${code})` : ""}`, code);
}

async function tokenPathOf(edge: AdminDoor, name: string): Promise<string> {
  const { items } = sitesSchema.parse(await edge.ask("GET", "/api/admin/sites"));
  const site = items.find((one) => one.name === name);
  if (!site) throw new ExitError("refused", `Cannot provision: there is no site "${name}"`);
  return `/api/admin/sites/${site.id}/token`;
}

/** The API of the edge as an administrator's browser uses it. */
class AdminDoor {
  #cookie = "";
  readonly #origin: string;
  readonly #stop: AbortSignal;

  constructor({ config, stop }: CommandContext) {
    this.#origin = new URL(config.edgeUrl).origin;
    this.#stop = stop;
  }

  async logout(): Promise<void> {
    await this.#fetch("POST", "/api/auth/logout").then(({ body }) => body?.cancel(), () => {});
  }

  /** @throws {ExitError} when the edge cannot be reached or refuses */
  async ask(method: string, path: string, json?: unknown): Promise<unknown> {
    let response: Response;
    try {
      response = await this.#fetch(method, path, json);
    } catch (error) {
      throw new ExitError(
        "unavailable",
        `Cannot provision: ${this.#origin} cannot be reached (${errorText(error)})`,
      );
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const why = errorBodySchema.safeParse(answer).data;
    throw why ? refusal(why.code, why.error) : refusal(undefined, `the edge answered ${response.status}`);
  }

  async #fetch(method: string, path: string, json?: unknown): Promise<Response> {
    const headers = new Headers({ origin: this.#origin });
    if (this.#cookie !== "") headers.set("cookie", this.#cookie);
    if (json !== undefined) headers.set("content-type", "application/json");
    const body = json === undefined ? undefined : JSON.stringify(json);
    const init = { method, headers, body, signal: this.#stop, redirect: "manual" } as const;
    const response = await fetch(this.#origin + path, init);
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    if (cookies.length > 0) this.#cookie = cookies.join("; ");
    return response;
  }
}
