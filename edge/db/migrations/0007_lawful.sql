-- Lawful advertising: who advertises, who agreed to it, and the words as they are sent.

-- What phones send, frozen when the campaign is sent; null = the message as it was written.
ALTER TABLE campaigns ADD COLUMN sent_text TEXT;
--> statement-breakpoint
-- Recipients skipped because of another marketing message lately.
ALTER TABLE campaigns ADD COLUMN capped_count INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Numbers that were loaded and left out, because nobody said that they agreed to advertising.
ALTER TABLE campaigns ADD COLUMN unconsented_count INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE imports ADD COLUMN without_consent INTEGER NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Who advertises, as every marketing message says.
CREATE TABLE `advertisers` (
	`client` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`contact_phone` text NOT NULL,
	`contact_email` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
-- What a client declared of one upload, and whom it was said of. Evidence: written once.
CREATE TABLE `consent_declarations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`at` integer NOT NULL,
	`user` integer NOT NULL,
	`basis` text NOT NULL,
	`source` text NOT NULL,
	`obtained_on` text,
	`campaign` integer,
	`import` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `consent_declarations_import` ON `consent_declarations` (`import`) WHERE import IS NOT NULL;--> statement-breakpoint
-- Once its time is over a number gives way to minus its own id, and to a keyed mark of it.
CREATE TABLE `consents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`declaration` integer NOT NULL,
	`mark` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `consents_number` ON `consents` (`client`,`phone`,`declaration`);--> statement-breakpoint
CREATE TABLE `unconsented` (
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`import` integer NOT NULL,
	PRIMARY KEY(`campaign`, `phone`)
);
--> statement-breakpoint
CREATE TRIGGER consent_declarations_written_once BEFORE UPDATE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER consent_declarations_append_only BEFORE DELETE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;
--> statement-breakpoint
-- The one change a row ever sees is that its number is forgotten.
CREATE TRIGGER consents_written_once BEFORE UPDATE ON consents
WHEN NOT (OLD.phone > 0 AND NEW.phone = -OLD.id AND NEW.mark IS NOT NULL
  AND NEW.id = OLD.id AND NEW.client = OLD.client AND NEW.declaration = OLD.declaration)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;
--> statement-breakpoint
-- The one way out is that the person behind the number asked to be erased.
CREATE TRIGGER consents_append_only BEFORE DELETE ON consents
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE phone = OLD.phone)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;
--> statement-breakpoint
CREATE TRIGGER unconsented_added AFTER INSERT ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count + 1 WHERE id = NEW.campaign;
END;
--> statement-breakpoint
CREATE TRIGGER unconsented_removed AFTER DELETE ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count - 1 WHERE id = OLD.campaign;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_capped AFTER UPDATE OF state ON deliveries
WHEN (NEW.state = 'skipped' AND NEW.reason IS 'frequency_cap') <> (OLD.state = 'skipped' AND OLD.reason IS 'frequency_cap')
BEGIN
  UPDATE campaigns SET capped_count = capped_count + iif(NEW.state = 'skipped', 1, -1) WHERE id = NEW.campaign;
END;
--> statement-breakpoint
-- Where nobody said what a campaign is, that is noted; and where somebody says something else.
CREATE TRIGGER campaigns_undeclared_audit AFTER INSERT ON campaigns
WHEN NEW.kind = 'undeclared' AND NEW.test_of IS NULL AND NEW.status = 'draft'
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.created_at, 'campaign_undeclared',
    NEW.client, (SELECT username FROM users WHERE id = NEW.client), NEW.id, '{}');
END;
--> statement-breakpoint
CREATE TRIGGER campaigns_kind_audit AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind <> OLD.kind
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.updated_at, 'campaign_kind_changed',
    NEW.client, (SELECT username FROM users WHERE id = NEW.client), NEW.id, json_object('kind', NEW.kind, 'was', OLD.kind));
END;
