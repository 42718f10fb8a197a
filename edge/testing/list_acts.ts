/** For tests: lists of contacts, through the doors of the edge. */
import assert from "node:assert/strict";
import type { Consent } from "shared/consent.ts";
import {
  type Choice,
  type ChoiceCount,
  choiceCountSchema,
  type Contact,
  type ContactCard,
  contactCardSchema,
  type ContactPage,
  contactPageSchema,
  type ContactQuery,
  type ContactsAdded,
  contactsAddedSchema,
  type OneList,
  oneListSchema,
} from "shared/lists_api.ts";
import { type UploadResult, uploadResultSchema } from "shared/http_api.ts";
import type { TestPerson } from "./test_app.ts";

type Caller = Pick<TestPerson, "ask">;

/** Creates an empty list and returns its id. */
export async function makeList(caller: Caller, name = "לקוחות"): Promise<number> {
  const answer = await caller.ask("/api/lists", { method: "POST", json: { name } });
  assert.equal(answer.status, 201, await answer.clone().text());
  return (await answer.json()).id;
}

/** Uploads a file to a list: lines of CSV, or bytes. */
export async function loadFile(
  caller: Caller,
  list: number,
  file: string[] | Uint8Array<ArrayBuffer>,
  consent?: Consent,
): Promise<ContactsAdded> {
  const form = new FormData();
  form.set("file", new File([Array.isArray(file) ? file.join("\r\n") : file], "list.csv"));
  if (consent) form.set("consent", JSON.stringify(consent));
  const answer = await caller.ask(`/api/lists/${list}/file`, { method: "POST", body: form });
  assert.equal(answer.status, 200, await answer.clone().text());
  return contactsAddedSchema.parse(await answer.json());
}

export async function readOneList(caller: Caller, list: number): Promise<OneList> {
  const answer = await caller.ask(`/api/lists/${list}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return oneListSchema.parse(await answer.json());
}

/** Returns one page of a list. */
export async function page(
  caller: Caller,
  list: number,
  query: Partial<ContactQuery> = {},
): Promise<ContactPage> {
  const answer = await caller.ask(`/api/lists/${list}/search`, { method: "POST", json: query });
  assert.equal(answer.status, 200, await answer.clone().text());
  return contactPageSchema.parse(await answer.json());
}

/** Returns all contacts that a search finds, page by page. */
export async function findAll(caller: Caller, list: number, q = "", limit = 50): Promise<Contact[]> {
  const all: Contact[] = [];
  for (let cursor: string | null = null;;) {
    const { items, nextCursor } = await page(caller, list, { q, cursor, limit });
    all.push(...items);
    if (nextCursor === null) return all;
    assert.notEqual(nextCursor, cursor);
    cursor = nextCursor;
  }
}

export async function readContact(caller: Caller, list: number, contact: number): Promise<ContactCard> {
  const answer = await caller.ask(`/api/lists/${list}/contacts/${contact}`);
  assert.equal(answer.status, 200, await answer.clone().text());
  return contactCardSchema.parse(await answer.json());
}

/** Counts what a choice would add to a campaign. */
export async function countOfChoice(
  caller: Caller,
  campaign: number,
  choice: Partial<Choice>,
): Promise<ChoiceCount> {
  const answer = await caller.ask(`/api/campaigns/${campaign}/contacts/lists/count`, {
    method: "POST",
    json: choice,
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return choiceCountSchema.parse(await answer.json());
}

/** Takes people of lists into a campaign. */
export async function takeChoice(
  caller: Caller,
  campaign: number,
  choice: Partial<Choice> & { consent?: Consent },
): Promise<UploadResult> {
  const answer = await caller.ask(`/api/campaigns/${campaign}/contacts/lists`, {
    method: "POST",
    json: choice,
  });
  assert.equal(answer.status, 200, await answer.clone().text());
  return uploadResultSchema.parse(await answer.json());
}
