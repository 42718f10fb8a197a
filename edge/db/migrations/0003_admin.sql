-- What administrators' screens read: history kept as it happens, commands to phones, files that survive a restart.
CREATE TABLE `account_hours` (
	`hour` integer NOT NULL,
	`account` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`absent` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `account`)
);
--> statement-breakpoint
CREATE TABLE `fleet_hours` (
	`hour` integer PRIMARY KEY NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`devices` integer,
	`sessions` integer,
	`accounts` integer,
	`banned` integer,
	`measured_at` integer
);
--> statement-breakpoint
CREATE TABLE `commands` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device` integer NOT NULL,
	`site` integer NOT NULL,
	`kind` text NOT NULL,
	`status` text DEFAULT 'waiting' NOT NULL,
	`detail` text,
	`user` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `commands_device` ON `commands` (`device`,`id`);--> statement-breakpoint
CREATE INDEX `commands_waiting` ON `commands` (`created_at`) WHERE status = 'waiting';--> statement-breakpoint
CREATE TABLE `import_chunks` (
	`import` integer NOT NULL,
	`kind` text NOT NULL,
	`no` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`import`, `kind`, `no`)
);
--> statement-breakpoint
-- A file may also be for the suppression list: its import has no campaign.
CREATE TABLE `imports_next` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer,
	`file_name` text NOT NULL,
	`status` text NOT NULL,
	`total_rows` integer DEFAULT 0 NOT NULL,
	`processed_rows` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`invalid` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`user` integer,
	`background` integer DEFAULT false NOT NULL,
	`worker` text,
	`taken` integer DEFAULT 0 NOT NULL,
	`started_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`campaign`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `imports_next` (`id`, `campaign`, `file_name`, `status`, `total_rows`, `processed_rows`, `added`,
	`duplicates`, `invalid`, `suppressed`, `error`, `created_at`, `updated_at`)
SELECT `id`, `campaign`, `file_name`, `status`, `total_rows`, `processed_rows`, `added`,
	`duplicates`, `invalid`, `suppressed`, `error`, `created_at`, `updated_at` FROM `imports`;
--> statement-breakpoint
DROP TABLE `imports`;--> statement-breakpoint
ALTER TABLE `imports_next` RENAME TO `imports`;--> statement-breakpoint
CREATE INDEX `imports_campaign` ON `imports` (`campaign`,`id`);--> statement-breakpoint
CREATE INDEX `imports_running` ON `imports` (`updated_at`) WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX `imports_waiting` ON `imports` (`id`) WHERE background AND status IN ('queued', 'processing');--> statement-breakpoint
CREATE INDEX `imports_status` ON `imports` (`status`,`id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `state_since` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `banned_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `recent` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_banned` ON `accounts` (`banned_at`) WHERE banned_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sites` ADD `reachable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `sites` ADD `reachable_since` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `test_of` integer;--> statement-breakpoint
ALTER TABLE `settings` ADD `user` integer;--> statement-breakpoint
CREATE INDEX `campaigns_status` ON `campaigns` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_tests` ON `campaigns` (`client`,`created_at`) WHERE test_of IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activity_kind` ON `activity` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `suppressions_client` ON `suppressions` (`client`,`id`);--> statement-breakpoint
-- Outcomes by hour, as sites tell them (by = 1): what a person or a clock decides is no sign of an account's health.
CREATE TRIGGER deliveries_outcome_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.by = 1 AND OLD.state IN ('leased', 'unknown') AND NEW.state IN ('sent', 'failed', 'unknown')
  AND OLD.state <> NEW.state AND NEW.account IS NOT NULL
BEGIN
  INSERT INTO account_hours (hour, account, sent, failed, absent, unknown) VALUES (
    NEW.updated_at / 3600000, NEW.account, NEW.state = 'sent', NEW.state = 'failed',
    NEW.state = 'failed' AND NEW.reason IS 'not_on_app', NEW.state = 'unknown')
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    absent = absent + excluded.absent, unknown = unknown + excluded.unknown;
  -- An index over all deliveries would cost each of them more than this.
  UPDATE accounts SET recent = substr(NEW.id || ' ' || recent, 1, 300) WHERE id = NEW.account;
END;
--> statement-breakpoint
-- Every line of the activity list is an event for administrators; live/browser_hub.ts words it.
CREATE TRIGGER activity_event AFTER INSERT ON activity
BEGIN
  INSERT INTO events (at, type, for_admins, data) VALUES (NEW.at, 'activity', 1, json_object(
    'id', NEW.id, 'kind', NEW.kind, 'code', NEW.code, 'data', NEW.data, 'at', NEW.at,
    'site', NEW.site, 'device', NEW.device, 'campaign', NEW.campaign, 'user', NEW.user));
END;
--> statement-breakpoint
-- A queue reset tells of all its campaigns in one line, and a test to oneself is nobody else's business.
CREATE TRIGGER campaigns_activity AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status AND NEW.test_of IS NULL
  AND NEW.status NOT IN ('draft', 'ready') AND NOT (OLD.status = 'processing' AND NEW.status = 'active')
  AND NOT (NEW.status = 'cancelled' AND NEW.paused_by IS 'queues')
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (
    NEW.updated_at,
    CASE NEW.status WHEN 'completed' THEN 'success' WHEN 'failed' THEN 'error'
      WHEN 'processing' THEN 'info' WHEN 'active' THEN 'info' ELSE 'warning' END,
    CASE
      WHEN OLD.status = 'ready' THEN 'campaign_sent'
      WHEN OLD.status = 'paused' AND NEW.status IN ('processing', 'active') THEN 'campaign_resumed'
      WHEN NEW.status = 'active' THEN 'campaign_reopened'
      ELSE 'campaign_' || NEW.status END,
    json_object('campaign', NEW.name, 'client', (SELECT username FROM users WHERE id = NEW.client),
      'by', NEW.paused_by, 'waiting', NEW.queued_count + NEW.leased_count, 'sent', NEW.sent_count,
      'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'cancelled', NEW.cancelled_count),
    NEW.id, NEW.client);
END;
--> statement-breakpoint
CREATE TRIGGER devices_added_activity AFTER INSERT ON devices
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (NEW.first_seen_at, 'info', 'device_added',
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site)), NEW.site, NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER devices_state_activity AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (
    NEW.updated_at, CASE NEW.state WHEN 'online' THEN 'success' WHEN 'booting' THEN 'info' ELSE 'warning' END,
    'device_' || NEW.state,
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site), 'battery', NEW.battery_percent),
    NEW.site, NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER accounts_first_state AFTER INSERT ON accounts
BEGIN
  UPDATE accounts SET state_since = NEW.first_seen_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') THEN NEW.first_seen_at END
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER accounts_state AFTER UPDATE OF state ON accounts
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE accounts SET state_since = NEW.updated_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') AND OLD.state NOT IN ('banned', 'restricted')
      THEN NEW.updated_at ELSE banned_at END
  WHERE id = NEW.id;
  -- A phone that is out of reach says so itself.
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at,
    CASE WHEN NEW.state IN ('banned', 'restricted') THEN 'error' WHEN NEW.state = 'ok' THEN 'success' ELSE 'warning' END,
    'account_' || NEW.state,
    json_object('account', substr(NEW.key, instr(NEW.key, '/') + 1),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name),
    NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site
  WHERE d.id = NEW.device AND 'unreachable' NOT IN (OLD.state, NEW.state);
END;
--> statement-breakpoint
CREATE TRIGGER sites_added_activity AFTER INSERT ON sites
BEGIN
  INSERT INTO activity (at, kind, code, data, site)
  VALUES (NEW.created_at, 'info', 'site_created', json_object('site', NEW.name), NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER imports_activity AFTER UPDATE OF status ON imports
WHEN OLD.status <> NEW.status AND NEW.status IN ('completed', 'error') AND NEW.file_name <> ''
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (
    NEW.updated_at, CASE NEW.status WHEN 'completed' THEN 'success' ELSE 'error' END,
    CASE NEW.status WHEN 'completed' THEN 'import_done' ELSE 'import_failed' END,
    json_object('file', NEW.file_name, 'import', NEW.id, 'added', NEW.added, 'rows', NEW.total_rows,
      'error', NEW.error, 'campaign', (SELECT name FROM campaigns WHERE id = NEW.campaign),
      'client', (SELECT u.username FROM campaigns c JOIN users u ON u.id = c.client WHERE c.id = NEW.campaign)),
    NEW.campaign, NEW.user);
END;
--> statement-breakpoint
CREATE TRIGGER quota_ledger_activity AFTER INSERT ON quota_ledger
WHEN NEW.kind = 'grant'
BEGIN
  INSERT INTO activity (at, kind, code, data, user) SELECT NEW.at, 'info',
    'quota_loaded', json_object('client', username, 'delta', NEW.delta,
      'by', (SELECT username FROM users WHERE id = NEW.actor)), id
  FROM users WHERE id = NEW.client;
END;
