/** Phones and accounts that a restored database does not know, as SQL. */
import { MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";

const OF_ACCOUNTS = "FROM (SELECT DISTINCT value AS key FROM json_each(:accounts))";
// A phone may have appeared first in the lost time. Until its site shows it, only its sent messages name it. They
// still count against its day.
export const KNOW_DEVICES = `INSERT INTO devices (site, key, address, state, first_seen_at, updated_at)
  SELECT DISTINCT :site, substr(key, 1, instr(key, '/') - 1), '', 'offline', :now, :now ${OF_ACCOUNTS}
  WHERE (SELECT count(*) FROM devices WHERE site = :site) < ${MAX_SITE_DEVICES}
  ON CONFLICT (site, key) DO NOTHING`;
/** Needs the devices of KNOW_DEVICES. */
export const KNOW_ACCOUNTS = `INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at)
  SELECT d.id, :site, a.key, 'unreachable', :now, :now ${OF_ACCOUNTS} a
    JOIN devices d ON d.site = :site AND d.key = substr(a.key, 1, instr(a.key, '/') - 1)
  WHERE (SELECT count(*) FROM accounts WHERE site = :site) < ${MAX_SITE_ACCOUNTS}
  ON CONFLICT (site, key) DO NOTHING`;
