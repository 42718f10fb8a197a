-- Who did what, for good. Rows are written by the transaction of the act, and sealed in order by a tick: a hash over
-- the row and the hash before it, and a keyed seal over that hash (edge/audit_log/).
CREATE TABLE `audit_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`actor` integer,
	`actor_name` text,
	`campaign` integer,
	`site` integer,
	`device` integer,
	`user` integer,
	`data` text NOT NULL,
	`hash` text,
	`seal` text
);
--> statement-breakpoint
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE INDEX `audit_log_kind` ON `audit_log` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_actor` ON `audit_log` (`actor`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_open` ON `audit_log` (`id`) WHERE hash IS NULL;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
-- The one change a row ever sees is its sealing.
CREATE TRIGGER audit_log_written_once BEFORE UPDATE ON audit_log
WHEN NOT (OLD.hash IS NULL AND OLD.seal IS NULL AND NEW.hash IS NOT NULL AND NEW.seal IS NOT NULL
  AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.kind = OLD.kind AND NEW.actor IS OLD.actor
  AND NEW.actor_name IS OLD.actor_name AND NEW.campaign IS OLD.campaign AND NEW.site IS OLD.site
  AND NEW.device IS OLD.device AND NEW.user IS OLD.user AND NEW.data = OLD.data)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
-- INSERT OR REPLACE deletes without asking the trigger above.
CREATE TRIGGER audit_log_nothing_replaced BEFORE INSERT ON audit_log
WHEN NEW.hash IS NOT NULL OR NEW.seal IS NOT NULL OR EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
-- Where the row of an act tells all of it, the row is what is noted.
CREATE TRIGGER quota_ledger_audit AFTER INSERT ON quota_ledger
WHEN NEW.kind = 'grant'
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, user, data) VALUES (NEW.at, 'quota_changed', NEW.actor,
    (SELECT username FROM users WHERE id = NEW.actor), NEW.client, json_object('delta', NEW.delta));
END;
--> statement-breakpoint
CREATE TRIGGER imports_audit AFTER UPDATE OF status ON imports
WHEN OLD.status <> NEW.status AND NEW.status IN ('completed', 'error') AND NEW.file_name <> ''
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data)
  SELECT NEW.updated_at, 'file_' || CASE NEW.status WHEN 'completed' THEN 'imported' ELSE 'refused' END,
    u.id, u.username, NEW.campaign, json_object('file', NEW.file_name, 'import', NEW.id,
      'rows', NEW.total_rows, 'added', NEW.added, 'invalid', NEW.invalid)
  FROM (SELECT coalesce(NEW.user, (SELECT client FROM campaigns WHERE id = NEW.campaign)) AS id) by_whom
  LEFT JOIN users u ON u.id = by_whom.id;
END;
