-- What sites tell of phones and accounts since protocol version 2, and what a person says of an account.
ALTER TABLE `sites` ADD `protocol` text;--> statement-breakpoint
ALTER TABLE `sites` ADD `told_generation` text;--> statement-breakpoint
UPDATE `sites` SET `told_generation` = `answered_generation`;--> statement-breakpoint
ALTER TABLE `devices` ADD `addresses` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `devices` ADD `state_detail` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `state_since` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `user_kind` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `captions` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `own_number` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `label` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `confirmed_at` integer;--> statement-breakpoint
UPDATE `devices` SET `state_since` = `updated_at`;--> statement-breakpoint
CREATE TRIGGER devices_first_state AFTER INSERT ON devices
BEGIN
  UPDATE devices SET state_since = NEW.first_seen_at WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER devices_state AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE devices SET state_since = NEW.updated_at WHERE id = NEW.id;
END;
--> statement-breakpoint
-- A person confirmed the account that was in the app then; another in its place waits for a person again.
CREATE TRIGGER accounts_number_changed AFTER UPDATE OF own_number ON accounts
WHEN OLD.own_number <> NEW.own_number
BEGIN
  UPDATE accounts SET confirmed_at = NULL WHERE id = NEW.id;
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at, 'warning', 'account_number_changed',
    json_object('account', coalesce(nullif(NEW.label, ''), substr(NEW.key, instr(NEW.key, '/') + 1)),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name), NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site WHERE d.id = NEW.device;
END;
