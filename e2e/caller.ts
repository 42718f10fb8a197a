/** Calls of the HTTP API: a login with its session, and a ready campaign. */

export interface Login {
  username: string;
  role: "admin" | "client";
  password: string;
}

/** One logged-in caller of the HTTP API, with its own cookie and origin. */
export class Caller {
  #cookie = "";
  #password = "";

  constructor(readonly url: string) {}

  /** Proof of an administrator without a second factor. */
  get proof(): { password: string } {
    return { password: this.#password };
  }

  /** The cookie header that a browser would send. */
  get cookie(): string {
    return this.#cookie;
  }

  /** Returns the same session at another edge. */
  at(url: string): Caller {
    const caller = new Caller(url);
    caller.#cookie = this.#cookie;
    caller.#password = this.#password;
    return caller;
  }

  static async login(url: string, login: Login): Promise<Caller> {
    const caller = new Caller(url);
    const response = await caller.call("POST", "/api/auth/login", {
      json: { username: login.username, password: login.password },
    });
    if (!response.ok) throw new Error(`Cannot log in: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
    caller.#password = login.password;
    return caller;
  }

  async call(
    method: string,
    path: string,
    body: { json?: unknown; form?: FormData } = {},
  ): Promise<Response> {
    const headers = new Headers({ origin: this.url });
    if (this.#cookie) headers.set("cookie", this.#cookie);
    if (body.json !== undefined) headers.set("content-type", "application/json");
    const response = await fetch(this.url + path, {
      method,
      headers,
      body: body.form ?? (body.json === undefined ? undefined : JSON.stringify(body.json)),
    });
    const set = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    if (set.length > 0) this.#cookie = set.join("; ");
    return response;
  }

  /**
   * Sends a request and returns the JSON response.
   *
   * @throws {Error} when the response is not OK
   */
  async read<T>(method: string, path: string, body: { json?: unknown; form?: FormData } = {}): Promise<T> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

/** A message with placeholders, and the values of each recipient by its place, the same fields for all. */
export interface PersonalMessage {
  message: string;
  valuesOf(index: number): Record<string, string>;
}

/** Makes a ready campaign with `count` different Israeli numbers, starting at `first`; returns its id. */
export async function makeReadyCampaign(
  caller: Caller,
  name: string,
  count: number,
  { first = 41_000_001, image, personal }: { first?: number; image?: File; personal?: PersonalMessage } = {},
): Promise<number> {
  const form = new FormData();
  form.set("name", name);
  form.set("message", personal?.message ?? `שלום, זו הודעה מאת ${name} 🙂\nשורה שנייה`);
  form.set("status", "draft");
  if (image) form.set("image", image);
  const { id } = await caller.read<{ id: number }>("POST", "/api/campaigns", { form });
  if (personal) {
    await loadPersonal(caller, id, count, first, personal);
    return id;
  }
  const file = new FormData();
  const rows = Array.from({ length: count }, (_, index) => `לקוח ${index},05${first + index}`);
  file.set("file", new File([`שם,טלפון\n${rows.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
  await caller.read("POST", `/api/campaigns/${id}/contacts`, { form: file });
  return id;
}

/** Loads a file with a column for each field, as the screens do. */
async function loadPersonal(
  caller: Caller,
  campaign: number,
  count: number,
  first: number,
  { valuesOf }: PersonalMessage,
): Promise<void> {
  const names = Object.keys(valuesOf(0));
  const rows = Array.from({ length: count }, (_, index) => {
    const values = valuesOf(index);
    return [`05${first + index}`, ...names.map((name) => `"${values[name]!.replaceAll('"', '""')}"`)].join();
  });
  const form = new FormData();
  const text = `${["טלפון", ...names].join()}\n${rows.join("\n")}\n`;
  form.set("file", new File([text], "contacts.csv", { type: "text/csv" }));
  const staged = await caller.read<{ id: number }>("POST", "/api/staged-files", { form });
  const choice = { phone: 1, fields: names.map((name, place) => ({ no: place + 2, name })) };
  const json = { file: staged.id, choice };
  await caller.read("POST", `/api/campaigns/${campaign}/contacts/staged`, { json });
}
