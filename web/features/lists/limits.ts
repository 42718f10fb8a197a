/** Limits of the server; the shared schemas are too large to load for a few numbers. */
export const MAX_LIST_NAME_CHARS = 60;
export const MAX_FIELD_NAME_CHARS = 40;
export const MAX_FIELD_VALUE_CHARS = 200;
/** Contacts that one call removes. */
export const MAX_REMOVED = 1_000;
