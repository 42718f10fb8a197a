/** Calls about lists of contacts: /api/lists, and how a campaign takes people from lists. */
import { z } from "zod";
import { consentSchema } from "./consent.ts";
import { ContactFieldsSchema, FieldNameSchema, MAX_FIELD_VALUE_CHARS } from "./contact_fields.ts";
import { deliveryStateSchema } from "./delivery.ts";
import { contactProblemSchema } from "./http_api.ts";
import { plainText } from "./plain_text.ts";

export const MAX_LIST_NAME_CHARS = 60;
/** Lists of one client. */
export const MAX_LISTS = 500;
/** Contacts that one call removes from a list. */
export const MAX_REMOVED = 1_000;

const listNameSchema = plainText.min(1).max(MAX_LIST_NAME_CHARS);
const idSchema = z.int().positive();
const fieldsSchema = z.record(z.string(), z.string());

// GET|POST /api/lists, GET|PATCH|DELETE /api/lists/{id}

export const listSchema = z.object({
  id: z.int(),
  client: z.int(),
  name: z.string(),
  /** Its contacts. */
  size: z.int(),
  /** Names of its fields, in the order of the columns. */
  fields: z.array(z.string()),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type ContactList = z.infer<typeof listSchema>;
/** For administrators also until when this session sees the list unmasked; null = masked. */
export const oneListSchema = listSchema.extend({ shownUntil: z.int().nullable() });
export type OneList = z.infer<typeof oneListSchema>;
export const listsSchema = z.object({ items: z.array(listSchema) });
export type Lists = z.infer<typeof listsSchema>;
/** `client`: whose lists an administrator reads. */
export const listsQuerySchema = z.object({ client: z.coerce.number().int().positive().optional() });
export const listRequestSchema = z.object({ name: listNameSchema });

// POST /api/lists/{id}/search

export const contactQuerySchema = z.object({
  /** The beginning of a number or of a value. */
  q: z.string().trim().max(MAX_FIELD_VALUE_CHARS).default(""),
  /** `nextCursor` of the page before. */
  cursor: z.string().max(200).nullish(),
  limit: z.int().min(1).max(200).default(50),
});
export type ContactQuery = z.infer<typeof contactQuerySchema>;
export const contactSchema = z.object({
  id: z.int(),
  /** E.164; masked for administrators until they say why. */
  phone: z.string(),
  /** Masked as the number is: every value is then "•••". */
  fields: fieldsSchema,
});
export type Contact = z.infer<typeof contactSchema>;
/** A search may answer fewer than `limit` and still go on. */
export const contactPageSchema = z.object({
  items: z.array(contactSchema),
  nextCursor: z.string().nullable(),
});
export type ContactPage = z.infer<typeof contactPageSchema>;

// POST /api/lists/{id}/contacts, …/numbers, …/file, …/campaign; DELETE /api/lists/{id}/contacts

export const addContactRequestSchema = z.object({
  /** In any notation. */
  phone: z.string().trim().min(1).max(40),
  fields: ContactFieldsSchema.default({}),
});
export const addFromCampaignRequestSchema = z.object({
  campaign: idSchema,
  /** The outcomes whose recipients are added. */
  states: z.array(deliveryStateSchema).min(1),
});
export const contactsAddedSchema = z.object({
  /** New in the list. */
  added: z.int(),
  /** In the list before. */
  known: z.int(),
  /** Repeated in the file. */
  duplicates: z.int(),
  invalid: z.int(),
  /** Erased people who asked never to be written to. */
  blocked: z.int(),
  /** Headings of columns that were not read, because a list has a most. */
  ignoredColumns: z.array(z.string()),
  /** The first few rows without a valid number. */
  problems: z.array(contactProblemSchema),
  /** True = letters of the file were broken; U+FFFD replaces each. */
  isDamaged: z.literal(true).optional(),
});
export type ContactsAdded = z.infer<typeof contactsAddedSchema>;
export const removeContactsRequestSchema = z.object({ ids: z.array(idSchema).min(1).max(MAX_REMOVED) });
export const contactsRemovedSchema = z.object({ removed: z.int() });

// GET|PATCH /api/lists/{id}/contacts/{contact}

export const contactCardSchema = contactSchema.extend({
  source: z.enum(["file", "typed", "campaign"]),
  createdAt: z.int(),
  updatedAt: z.int(),
  lists: z.array(z.object({ id: z.int(), name: z.string() })),
  /** What the client sent to it, the newest first. */
  messages: z.array(z.object({
    campaign: z.int(),
    name: z.string(),
    state: deliveryStateSchema,
    at: z.int(),
  })),
  /** Declarations of consent that name it, the newest first. */
  consents: z.array(z.object({
    basis: z.enum(["opt_in", "existing_customer"]),
    source: z.string(),
    obtainedOn: z.string().nullable(),
    at: z.int(),
    /** Who declared it. */
    by: z.string().nullable(),
  })),
  /** Why it gets no message, if it was removed. */
  removal: z.object({ at: z.int(), source: z.enum(["reply", "manual", "file", "house"]) }).nullable(),
});
export type ContactCard = z.infer<typeof contactCardSchema>;
export const editContactRequestSchema = z.object({ fields: ContactFieldsSchema });

// POST /api/campaigns/{id}/contacts/lists/count, POST /api/campaigns/{id}/contacts/lists

/** A filter of one field. `is` and `contains` ignore capitals and vowel points. */
export const FILTER_KINDS = ["is", "is_not", "is_empty", "is_filled", "contains"] as const;
export const fieldFilterSchema = z.object({
  field: FieldNameSchema,
  kind: z.enum(FILTER_KINDS),
  value: z.string().trim().max(MAX_FIELD_VALUE_CHARS).default(""),
}).refine(({ kind, value }) => value !== "" || kind === "is_empty" || kind === "is_filled", {
  path: ["value"],
});
export type FieldFilter = z.infer<typeof fieldFilterSchema>;
const howManySchema = z.int().min(1).max(10_000_000);
export const choiceSchema = z.object({
  /** People of any of these lists. */
  lists: z.array(idSchema).min(1).max(50),
  /** All of these hold. */
  where: z.array(fieldFilterSchema).max(10).default([]),
  /** Leaves out people to whom the client's campaigns sent within this many days. */
  notWithinDays: z.int().min(1).max(3650).nullish(),
  /** Leaves out people of these lists, and people whom these campaigns reached. */
  except: z.object({
    lists: z.array(idSchema).max(50).default([]),
    campaigns: z.array(idSchema).max(50).default([]),
  }).default({ lists: [], campaigns: [] }),
  /** The first by number, or some by chance; the same seed chooses the same people. */
  take: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("first"), count: howManySchema }),
    z.object({
      kind: z.literal("random"),
      count: howManySchema,
      seed: z.int().min(0).max(2 ** 32 - 1).optional(),
    }),
  ]).nullish(),
});
export type Choice = z.infer<typeof choiceSchema>;
export const takeRequestSchema = choiceSchema.extend({ consent: consentSchema.optional() });
export const choiceCountSchema = z.object({
  /** Different people in the lists. */
  total: z.int(),
  /** Of these, those who fit the filters and are not excepted. */
  fitting: z.int(),
  /** Of these, those who were chosen by `take`. */
  chosen: z.int(),
  /** Chosen people who will not be added, by reason. */
  removed: z.int(),
  noConsent: z.int(),
  alreadyHere: z.int(),
  /** Chosen people who will be added, and by now are within the frequency cap. */
  reached: z.int(),
  /** Chosen people who will be added. */
  added: z.int(),
  /** The seed of a choice by chance: taking with it chooses these people. */
  seed: z.int().nullable(),
});
export type ChoiceCount = z.infer<typeof choiceCountSchema>;
