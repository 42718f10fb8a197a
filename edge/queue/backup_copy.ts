import { COPY_KEY } from "../db/copy_mark.ts";

/** SQL condition: this database is a backup's copy that no restore prepared, placed under a running edge. */
export const IS_BACKUP_COPY = `EXISTS (SELECT 1 FROM system WHERE key = '${COPY_KEY}')`;
