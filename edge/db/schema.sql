-- What the migrations and rules make of a database. Written by `deno task schema`; edit those instead.

CREATE TABLE `account_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	hour INTEGER NOT NULL DEFAULT 0,
	hour_used INTEGER NOT NULL DEFAULT 0,
	`given` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `day`)
);

CREATE TABLE `account_hours` (
	`hour` integer NOT NULL,
	`account` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`absent` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `account`)
);

CREATE TABLE `account_scores` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`score` integer NOT NULL,
	`reason` text NOT NULL,
	`green` integer DEFAULT true NOT NULL,
	PRIMARY KEY(`account`, `day`)
);

CREATE TABLE `account_trends` (
	`day` integer NOT NULL,
	`account` integer NOT NULL,
	`sent` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	PRIMARY KEY(`day`, `account`)
);

CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`device` integer NOT NULL,
	`site` integer NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`app_version` text,
	`first_installed_at` integer,
	`first_seen_at` integer NOT NULL,
	`last_sent_at` integer,
	`last_leased_at` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	`state_since` integer,
	`banned_at` integer,
	`recent` text DEFAULT '' NOT NULL,
	`user_kind` text,
	`captions` integer,
	`own_number` text,
	`label` text DEFAULT '' NOT NULL,
	`confirmed_at` integer,
	held_days INTEGER NOT NULL DEFAULT 0,
	trip INTEGER,
	`weighed_day` integer,
	`trusted` integer DEFAULT false NOT NULL,
	`unknown_screen` text,
	`unknown_since` integer,
	`screens_seen` integer,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `accounts_banned` ON `accounts` (`banned_at`) WHERE banned_at IS NOT NULL;
CREATE INDEX `accounts_device` ON `accounts` (`device`);
CREATE UNIQUE INDEX `accounts_site_key` ON `accounts` (`site`,`key`);
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`site`) WHERE confirmed_at IS NULL AND trusted = 0;
CREATE INDEX `accounts_unknown_screen` ON `accounts` (`unknown_since`) WHERE unknown_screen IS NOT NULL;

CREATE TABLE `activity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`code` text NOT NULL,
	`data` text NOT NULL,
	`site` integer,
	`device` integer,
	`campaign` integer,
	`user` integer
);
CREATE INDEX `activity_at` ON `activity` (`at`);
CREATE INDEX `activity_kind` ON `activity` (`kind`,`id`);

CREATE TABLE `advertisers` (
	`client` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`address` text NOT NULL,
	`contact_phone` text NOT NULL,
	`contact_email` text NOT NULL,
	`updated_at` integer NOT NULL
,
	`removal_link` integer DEFAULT 0 NOT NULL);

CREATE TABLE `agent_tokens_seen` (
	`jti` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);

CREATE TABLE `alert_choices` (
	`code` text PRIMARY KEY NOT NULL,
	`email` integer NOT NULL,
	`webhook` integer NOT NULL
);

CREATE TABLE `alert_messages` (
	`cause` text NOT NULL,
	`channel` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`status` integer,
	`next_at` integer,
	`count` integer NOT NULL,
	`newest` integer,
	`gone` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`cause`, `channel`)
);

CREATE TABLE `alert_quiets` (
	`cause` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user` integer NOT NULL,
	`at` integer NOT NULL,
	`until` integer,
	`count` integer NOT NULL,
	`newest` integer
);

CREATE TABLE `attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`attempt` integer NOT NULL,
	`token` text NOT NULL,
	`site` integer NOT NULL,
	`account` integer,
	`outcome` text NOT NULL,
	`reason` text,
	`tapped_at` integer,
	`at` integer NOT NULL
,
	by INTEGER NOT NULL DEFAULT 1,
	result TEXT,
	leased_at INTEGER,
	acked_at INTEGER);
CREATE INDEX `attempts_delivery` ON `attempts` (`campaign`,`phone`,`id`);
CREATE UNIQUE INDEX attempts_once ON attempts (token, phone, outcome) WHERE by = 1;

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
CREATE INDEX `audit_log_actor` ON `audit_log` (`actor`,`id`);
CREATE INDEX `audit_log_at` ON `audit_log` (`at`);
CREATE INDEX `audit_log_kind` ON `audit_log` (`kind`,`id`);
CREATE INDEX `audit_log_open` ON `audit_log` (`id`) WHERE hash IS NULL;

CREATE TABLE `blocked_marks` (
	`mark` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`at` integer NOT NULL
);

CREATE TABLE `breaker_trips` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`campaign` integer,
	`account` integer,
	`signal` text NOT NULL,
	`count` integer NOT NULL,
	`sample` integer NOT NULL,
	`released_at` integer,
	`released_by` integer
);
CREATE INDEX `breaker_trips_account` ON `breaker_trips` (`account`,`id`);
CREATE INDEX `breaker_trips_campaign` ON `breaker_trips` (`campaign`,`id`);

CREATE TABLE `campaign_bans` (
	`campaign` integer NOT NULL,
	`account` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`campaign`, `account`)
);

CREATE TABLE `campaign_marks` (
	`campaign` integer NOT NULL,
	`outcomes` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	`opted_out` integer NOT NULL,
	`at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign`, `outcomes`)
);

CREATE TABLE `campaigns` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`name` text NOT NULL,
	`message` text NOT NULL,
	`image` text,
	`kind` text DEFAULT 'undeclared' NOT NULL,
	`status` text DEFAULT 'draft' NOT NULL,
	`queued_count` integer DEFAULT 0 NOT NULL,
	`leased_count` integer DEFAULT 0 NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`failed_count` integer DEFAULT 0 NOT NULL,
	`unknown_count` integer DEFAULT 0 NOT NULL,
	`skipped_count` integer DEFAULT 0 NOT NULL,
	`cancelled_count` integer DEFAULT 0 NOT NULL,
	`reserved` integer DEFAULT 0 NOT NULL,
	`running_import` integer,
	`paused_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`send_at` integer,
	`first_acked_at` integer,
	`last_sent_at` integer,
	`completed_at` integer,
	`test_of` integer,
	trip INTEGER,
	opted_out_count INTEGER NOT NULL DEFAULT 0,
	pilot_count INTEGER,
	pilot_wait_ms INTEGER,
	pilot_last INTEGER,
	pilot_until INTEGER,
	`forgotten_at` integer,
	sent_text TEXT,
	capped_count INTEGER NOT NULL DEFAULT 0,
	unconsented_count INTEGER NOT NULL DEFAULT 0,
	hours_waived_at INTEGER,
	hours_waived_by INTEGER,
	hours_waived_why TEXT,
	`starts_at` integer,
	`start_told_at` integer,
	`first_leased_at` integer,
	`sent_parts` text,
	`required_fields` text,
	`valueless_count` integer DEFAULT 0 NOT NULL,
	`again_of` integer,
	`variant_count` integer,
	`variant_seed` integer,
	`winner` integer,
	FOREIGN KEY (`client`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image`) REFERENCES `images`(`sha256`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `campaigns_again` ON `campaigns` (`again_of`) WHERE again_of IS NOT NULL;
CREATE INDEX `campaigns_client` ON `campaigns` (`client`,`id`);
CREATE INDEX `campaigns_image` ON `campaigns` (`image`);
CREATE INDEX `campaigns_live` ON `campaigns` (`client`,`send_at`) WHERE status IN ('processing','active');
CREATE INDEX `campaigns_status` ON `campaigns` (`status`,`id`);
CREATE INDEX `campaigns_tests` ON `campaigns` (`client`,`created_at`) WHERE test_of IS NOT NULL;
CREATE INDEX `campaigns_unforgotten` ON `campaigns` (`completed_at`) WHERE completed_at IS NOT NULL AND forgotten_at IS NULL;

CREATE TABLE `client_hours` (
	`hour` integer NOT NULL,
	`client` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`hour`, `client`)
);

CREATE TABLE `client_trends` (
	`day` integer NOT NULL,
	`client` integer NOT NULL,
	`sent` integer NOT NULL,
	`failed` integer NOT NULL,
	`unknown` integer NOT NULL,
	PRIMARY KEY(`day`, `client`)
);

CREATE TABLE `column_choices` (
	`user` integer NOT NULL,
	`headings_key` text NOT NULL,
	`choice` text NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`user`, `headings_key`)
);

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
CREATE INDEX `commands_device` ON `commands` (`device`,`id`);
CREATE INDEX `commands_waiting` ON `commands` (`created_at`) WHERE status = 'waiting';

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
,
	`list` integer);
CREATE UNIQUE INDEX `consent_declarations_import` ON `consent_declarations` (`import`) WHERE import IS NOT NULL;

CREATE TABLE `consents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`declaration` integer NOT NULL,
	`mark` text
);
CREATE INDEX `consents_client` ON `consents` (`client`,`id`);
CREATE UNIQUE INDEX `consents_number` ON `consents` (`client`,`phone`,`declaration`);

CREATE TABLE `contact_blocks` (
	`run` integer NOT NULL,
	`no` integer NOT NULL,
	`last` text NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`run`, `no`)
);
CREATE INDEX `contact_blocks_last` ON `contact_blocks` (`run`,`last`,`no`);

CREATE TABLE `contact_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`key` text NOT NULL,
	`phone` integer NOT NULL
);
CREATE INDEX `contact_keys_key` ON `contact_keys` (`client`,`key`,`phone`);
CREATE INDEX `contact_keys_phone` ON `contact_keys` (`client`,`phone`);

CREATE TABLE `contact_runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL
);
CREATE INDEX `contact_runs_client` ON `contact_runs` (`client`,`id`);

CREATE TABLE `contacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`fields` text,
	`source` text NOT NULL,
	`run` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
CREATE UNIQUE INDEX `contacts_phone` ON `contacts` (`client`,`phone`);

CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`state` text DEFAULT 'queued' NOT NULL,
	`reason` text,
	`by` integer DEFAULT 0 NOT NULL,
	`token` text,
	`site` integer,
	`account` integer,
	`attempt` integer DEFAULT 0 NOT NULL,
	`leased_at` integer,
	`leased_day` integer,
	`acked_at` integer,
	`lease_until` integer,
	`not_before` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`resent` integer DEFAULT 0 NOT NULL,
	`tapped_at` integer,
	`import` integer,
	`updated_at` integer NOT NULL,
	`is_new_to_site` integer DEFAULT 0 NOT NULL,
	`awaits` integer,
	`fields` text,
	`origin` integer,
	`variant` integer,
	FOREIGN KEY (`campaign`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `deliveries_awaits` ON `deliveries` (`campaign`,`awaits`,`not_before`) WHERE awaits IS NOT NULL;
CREATE UNIQUE INDEX `deliveries_campaign_phone` ON `deliveries` (`campaign`,`phone`);
CREATE INDEX `deliveries_in_hand` ON `deliveries` (`site`,`token`) WHERE state = 'leased';
CREATE INDEX `deliveries_lease_until` ON `deliveries` (`lease_until`)
  WHERE state = 'leased' AND lease_until IS NOT NULL;
CREATE INDEX `deliveries_origin` ON `deliveries` (`origin`) WHERE origin IS NOT NULL;
CREATE INDEX `deliveries_queue` ON `deliveries` (`campaign`,`not_before`) WHERE state = 'queued';
CREATE INDEX `deliveries_resent` ON `deliveries` (`campaign`) WHERE resent > 0;
CREATE INDEX `deliveries_state` ON `deliveries` (`campaign`,`state`) WHERE state <> 'queued';

CREATE TABLE `devices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`site` integer NOT NULL,
	`key` text NOT NULL,
	`address` text NOT NULL,
	`model` text DEFAULT '' NOT NULL,
	`android_version` text DEFAULT '' NOT NULL,
	`state` text NOT NULL,
	`battery_percent` integer,
	`proof_at` integer,
	`stopped` integer DEFAULT false NOT NULL,
	`first_seen_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`addresses` text DEFAULT '[]' NOT NULL,
	`state_detail` text,
	`state_since` integer,
	`site_stopped` integer,
	`paced_until` integer DEFAULT 0 NOT NULL,
	`trial` text,
	`trial_since` integer,
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE UNIQUE INDEX `devices_site_key` ON `devices` (`site`,`key`);

CREATE TABLE `erasure_sites` (
	`erasure` integer NOT NULL,
	`site` integer NOT NULL,
	`answered_at` integer,
	`removed` integer DEFAULT 0 NOT NULL,
	`hash` text,
	PRIMARY KEY(`erasure`, `site`)
);
CREATE INDEX `erasure_sites_open` ON `erasure_sites` (`site`) WHERE answered_at IS NULL;

CREATE TABLE `erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`user` integer NOT NULL,
	`reason` text NOT NULL,
	`mark` text NOT NULL,
	`nonce` text NOT NULL,
	`hash` text NOT NULL,
	`blocked` integer NOT NULL,
	`phone` integer,
	`removed` text DEFAULT '{}' NOT NULL,
	`database_at` integer,
	`scrubbed_at` integer,
	`done_at` integer
,
	`to_repeat` integer DEFAULT 0 NOT NULL);
CREATE INDEX `erasures_open` ON `erasures` (`id`) WHERE done_at IS NULL;
CREATE INDEX `erasures_to_repeat` ON `erasures` (`id`) WHERE to_repeat = 1;

CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`client` integer,
	`for_admins` integer DEFAULT false NOT NULL,
	`site` integer,
	`campaign` integer,
	`data` text NOT NULL
);
CREATE UNIQUE INDEX `events_progress` ON `events` (`campaign`) WHERE type = 'campaign_progress';
CREATE UNIQUE INDEX `events_quota` ON `events` (`client`) WHERE type = 'quota_changed';

CREATE TABLE `fleet_hours` (
	`hour` integer PRIMARY KEY NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`devices` integer,
	`sessions` integer,
	`accounts` integer,
	`banned` integer,
	`measured_at` integer
);

CREATE TABLE `images` (
	`sha256` text PRIMARY KEY NOT NULL,
	`media_type` text NOT NULL,
	`bytes` blob NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL
);

CREATE TABLE `import_chunks` (
	`import` integer NOT NULL,
	`kind` text NOT NULL,
	`no` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`import`, `kind`, `no`)
);

CREATE TABLE "imports" (
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
	without_consent INTEGER NOT NULL DEFAULT 0,
	`makes_campaign` integer DEFAULT 0 NOT NULL,
	`column_no` integer,
	`column_name` text,
	`removed_at` integer,
	`removing` integer DEFAULT 0 NOT NULL,
	`choice` text,
	`fields` text,
	FOREIGN KEY (`campaign`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `imports_campaign` ON `imports` (`campaign`,`id`);
CREATE INDEX `imports_removing` ON `imports` (`updated_at`) WHERE removing;
CREATE INDEX `imports_running` ON `imports` (`updated_at`) WHERE status = 'processing';
CREATE INDEX `imports_status` ON `imports` (`status`,`id`);
CREATE INDEX `imports_waiting` ON `imports` (`id`) WHERE background AND status IN ('queued', 'processing');

CREATE TABLE `join_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`site` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `list_members` (
	`list` integer NOT NULL,
	`phone` integer NOT NULL,
	PRIMARY KEY(`list`, `phone`)
) WITHOUT ROWID;

CREATE TABLE `list_views` (
	`session` text NOT NULL,
	`list` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`session`, `list`)
);

CREATE TABLE `lists` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`fields` text DEFAULT '[]' NOT NULL,
	`size` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`removed_at` integer
);
CREATE UNIQUE INDEX `lists_name` ON `lists` (`client`,`name_key`) WHERE removed_at IS NULL;
CREATE INDEX `lists_removed` ON `lists` (`removed_at`) WHERE removed_at IS NOT NULL;

CREATE TABLE `login_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`first_at` integer NOT NULL);

CREATE TABLE `lost_campaigns` (
	`id` integer PRIMARY KEY NOT NULL,
	`client` integer NOT NULL,
	`at` integer NOT NULL
);

CREATE TABLE `lost_reaches` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`site` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);
CREATE INDEX `lost_reaches_at` ON `lost_reaches` (`at`);
CREATE INDEX `lost_reaches_site` ON `lost_reaches` (`site`);

CREATE TABLE `number_views` (
	`session` text NOT NULL,
	`campaign` integer NOT NULL,
	`until` integer NOT NULL,
	PRIMARY KEY(`session`, `campaign`)
);

CREATE TABLE `past_paces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`seconds` real NOT NULL,
	`until` integer NOT NULL
);

CREATE TABLE `quota_ledger` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`delta` integer NOT NULL,
	`balance_after` integer DEFAULT 0 NOT NULL,
	`campaign` integer,
	`delivery` integer,
	`actor` integer,
	`request_id` text,
	`reason` text,
	FOREIGN KEY (`client`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `quota_ledger_at` ON `quota_ledger` (`client`,`at`);
CREATE INDEX `quota_ledger_campaign` ON `quota_ledger` (`campaign`,`id`);
CREATE INDEX `quota_ledger_client` ON `quota_ledger` (`client`,`id`);
CREATE UNIQUE INDEX `quota_ledger_request_id_unique` ON `quota_ledger` (`request_id`);

CREATE TABLE `recipients` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`last_marketing_at` integer NOT NULL,
	`campaign` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);

CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user` integer NOT NULL,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user`);

CREATE TABLE `replies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer NOT NULL,
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`site` integer NOT NULL,
	`reply` text NOT NULL,
	`state` text NOT NULL,
	`excerpt` text NOT NULL,
	`at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` integer
,
	undone_until INTEGER);
CREATE INDEX `replies_age` ON `replies` (`received_at`);
CREATE INDEX `replies_client` ON `replies` (`client`,`state`,`id`);
CREATE UNIQUE INDEX `replies_once` ON `replies` (`campaign`,`phone`);
CREATE INDEX `replies_phone` ON `replies` (`phone`);
CREATE INDEX `replies_state` ON `replies` (`state`,`id`);
CREATE INDEX `replies_waiting` ON `replies` (`campaign`) WHERE state = 'waiting';

CREATE TABLE `resends` (
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`attempt` integer NOT NULL,
	`token` text NOT NULL,
	`site` integer NOT NULL,
	`known` integer DEFAULT 0 NOT NULL,
	`user` integer NOT NULL,
	`at` integer NOT NULL,
	doubted INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY(`campaign`, `phone`, `attempt`)
);

CREATE TABLE `saved_messages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer NOT NULL,
	`name` text NOT NULL,
	`message` text NOT NULL,
	`kind` text NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`updated_by` integer NOT NULL,
	`used_count` integer DEFAULT 0 NOT NULL,
	`used_at` integer
);
CREATE INDEX `saved_messages_client` ON `saved_messages` (`client`,`id`);
CREATE INDEX `saved_messages_image` ON `saved_messages` (`image`) WHERE image IS NOT NULL;

CREATE TABLE schema_migrations (name TEXT PRIMARY KEY,
	sha256 TEXT NOT NULL);

CREATE TABLE `second_factors` (
	`user` integer PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);

CREATE TABLE `senders` (
	`client` integer NOT NULL,
	`phone` integer NOT NULL,
	`account` integer NOT NULL,
	`campaign` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`client`, `phone`)
);

CREATE TABLE `sent_variants` (
	`campaign` integer NOT NULL,
	`no` integer NOT NULL,
	`text` text NOT NULL,
	`parts` text NOT NULL,
	`required_fields` text,
	`sent` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	`removals` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign`, `no`)
) WITHOUT ROWID;

CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
CREATE INDEX `sessions_user` ON `sessions` (`user`);

CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
,
	`user` integer);

CREATE TABLE `sites` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`public_key` text,
	`epoch` integer DEFAULT 0 NOT NULL,
	`hello_epoch` integer DEFAULT 0 NOT NULL,
	`revoked` integer DEFAULT false NOT NULL,
	`stopped` integer DEFAULT false NOT NULL,
	`stop_reason` text,
	`journal_id` text,
	`journal_counter` integer DEFAULT 0 NOT NULL,
	`answered_generation` text,
	`turn_campaign` integer,
	`draining` integer DEFAULT false NOT NULL,
	`agent_version` text,
	`last_seen_at` integer,
	`created_at` integer NOT NULL
,
	superseded_count INTEGER NOT NULL DEFAULT 0,
	superseded_since INTEGER NOT NULL DEFAULT 0,
	`reachable` integer DEFAULT false NOT NULL,
	`reachable_since` integer,
	`protocol` text,
	`told_generation` text,
	`mark_given` integer NOT NULL DEFAULT 0,
	`simulated` integer DEFAULT false NOT NULL,
	`inventory_changes` text,
	`unconfirmed_rest` text,
	`unconfirmed_seen_at` integer DEFAULT 0 NOT NULL,
	`asks_rehearsal` integer DEFAULT 0 NOT NULL,
	`item_texts` integer DEFAULT 0 NOT NULL);
CREATE UNIQUE INDEX `sites_name_unique` ON `sites` (`name`);
CREATE UNIQUE INDEX `sites_public_key_unique` ON `sites` (`public_key`);

CREATE TABLE `staged_chunks` (
	`staged` integer NOT NULL,
	`no` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`staged`, `no`)
);

CREATE TABLE `staged_files` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user` integer NOT NULL,
	`file_name` text NOT NULL,
	`kind` text NOT NULL,
	`sheets` text NOT NULL,
	`sheet` integer,
	`notes` text NOT NULL,
	`headings_key` text,
	`bytes` integer NOT NULL,
	`created_at` integer NOT NULL
);
CREATE INDEX `staged_files_user` ON `staged_files` (`user`,`id`);

CREATE TABLE `statement_mails` (
	`client` integer PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`updated_at` integer NOT NULL
);

CREATE TABLE `statement_messages` (
	`client` integer NOT NULL,
	`month` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`attempts` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`next_at` integer,
	PRIMARY KEY(`client`, `month`)
);

CREATE TABLE `suppressions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer DEFAULT 0 NOT NULL,
	`phone` integer NOT NULL,
	`source` text NOT NULL,
	`at` integer NOT NULL
,
	listed_as TEXT);
CREATE INDEX `suppressions_client` ON `suppressions` (`client`,`id`);
CREATE INDEX `suppressions_client_phone` ON `suppressions` (`client`,`phone`);
CREATE UNIQUE INDEX `suppressions_phone` ON `suppressions` (`phone`,`client`);

CREATE TABLE `system` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);

CREATE TABLE `ticks` (
	`name` text PRIMARY KEY NOT NULL,
	`claimed_until` integer NOT NULL
);

CREATE TABLE `unconfirmed_deliveries` (
	`campaign` integer NOT NULL,
	`delivery` integer NOT NULL,
	`site` integer NOT NULL,
	`account` integer,
	`opted_out_at` integer,
	PRIMARY KEY(`campaign`, `delivery`, `site`)
);

CREATE TABLE `unconsented` (
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`import` integer NOT NULL,
	`origin` integer,
	PRIMARY KEY(`campaign`, `phone`)
);

CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`message_quota` integer DEFAULT 0 NOT NULL,
	`disabled` integer DEFAULT false NOT NULL,
	`change_no` integer DEFAULT 0 NOT NULL,
	`lease_turn` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`first_password_until` integer,
	CONSTRAINT "users_quota_not_negative" CHECK("users"."message_quota" >= 0)
);
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);

CREATE TABLE `variants` (
	`campaign` integer NOT NULL,
	`no` integer NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`campaign`, `no`)
) WITHOUT ROWID;

-- Rules, version 24.

-- I7: the counters of a campaign are the sums of its deliveries' states. A change of a delivery's state updates them.
-- SQLite fires the newest trigger first, so this first file fires last: 17_campaign_end.sql, which these counters fire,
-- runs after the other rules for the row.

-- Cancelling a campaign counts and refunds all its queued rows at once; the rows themselves move later, in slices.
-- Such a later move (queued to cancelled, never resent, campaign cancelled) is already counted.
CREATE TRIGGER deliveries_counters AFTER UPDATE OF state ON deliveries
WHEN OLD.state <> NEW.state AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  UPDATE campaigns SET
    queued_count = queued_count + (NEW.state = 'queued') - (OLD.state = 'queued'),
    leased_count = leased_count + (NEW.state = 'leased') - (OLD.state = 'leased'),
    sent_count = sent_count + (NEW.state = 'sent') - (OLD.state = 'sent'),
    failed_count = failed_count + (NEW.state = 'failed') - (OLD.state = 'failed'),
    unknown_count = unknown_count + (NEW.state = 'unknown') - (OLD.state = 'unknown'),
    skipped_count = skipped_count + (NEW.state = 'skipped') - (OLD.state = 'skipped'),
    cancelled_count = cancelled_count + (NEW.state = 'cancelled') - (OLD.state = 'cancelled'),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END,
    -- From the first lease on, the send cannot be taken back (07_legal_moves.sql).
    first_leased_at = CASE WHEN NEW.state = 'leased' THEN coalesce(first_leased_at, NEW.updated_at)
      ELSE first_leased_at END,
    updated_at = NEW.updated_at
  WHERE id = NEW.campaign;
END;

-- Counts deliveries skipped because their recipient had another marketing message lately, and those skipped because
-- the recipient lacks a value that the message needs.
CREATE TRIGGER deliveries_capped AFTER UPDATE OF state ON deliveries
WHEN (NEW.state = 'skipped' AND NEW.reason IN ('frequency_cap', 'value_missing'))
  OR (OLD.state = 'skipped' AND OLD.reason IN ('frequency_cap', 'value_missing'))
BEGIN
  UPDATE campaigns SET
    capped_count = capped_count + (NEW.state = 'skipped' AND NEW.reason IS 'frequency_cap')
      - (OLD.state = 'skipped' AND OLD.reason IS 'frequency_cap'),
    valueless_count = valueless_count + (NEW.state = 'skipped' AND NEW.reason IS 'value_missing')
      - (OLD.state = 'skipped' AND OLD.reason IS 'value_missing')
  WHERE id = NEW.campaign;
END;

-- After a send was taken back, its list can be taken out.
CREATE TRIGGER deliveries_capped_gone AFTER DELETE ON deliveries
WHEN OLD.state = 'skipped' AND OLD.reason IN ('frequency_cap', 'value_missing')
BEGIN
  UPDATE campaigns SET
    capped_count = capped_count - (OLD.reason = 'frequency_cap'),
    valueless_count = valueless_count - (OLD.reason = 'value_missing')
  WHERE id = OLD.campaign AND status IN ('draft', 'ready');
END;

-- Counts numbers left out because nobody declared their consent to advertising.
CREATE TRIGGER unconsented_added AFTER INSERT ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count + 1 WHERE id = NEW.campaign;
END;

CREATE TRIGGER unconsented_removed AFTER DELETE ON unconsented
BEGIN
  UPDATE campaigns SET unconsented_count = unconsented_count - 1 WHERE id = OLD.campaign;
END;

-- I4: every `unknown` has a cause that can be read later. A move by the clock, a person or the edge (`by` other than 1)
-- adds a row to `attempts`.

-- Moves by the site are left out because its report writes them. A delivery without a token was never leased, and its
-- own row shows everything. `outcome` is the new state; `leased_at` and `acked_at` belong to the attempt that ends.
CREATE TRIGGER deliveries_history AFTER UPDATE OF state, by ON deliveries
WHEN NEW.by <> 1 AND NEW.state <> 'leased' AND (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND OLD.token IS NOT NULL
BEGIN
  INSERT INTO attempts (campaign, phone, attempt, token, site, account, by, outcome, reason, leased_at, acked_at, at)
  VALUES (NEW.campaign, NEW.phone, NEW.attempt, NEW.token, NEW.site, NEW.account, NEW.by, NEW.state, NEW.reason,
    NEW.leased_at, NEW.acked_at, NEW.updated_at);
END;

-- I6: the caps of a day and of an hour are never exceeded. A lease takes room in `account_days`; a move that proves
-- the message was not tapped returns the room.

-- `given` counts leases that showed the site a new number, and stays when the site returns the row. Otherwise a site
-- could lease and return rows until it had read the whole queue. A row that the same site held last is not counted.
CREATE TRIGGER deliveries_cap_taken AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'leased' AND OLD.state <> 'leased'
BEGIN
  INSERT INTO account_days (account, day, used, given, hour, hour_used)
  VALUES (NEW.account, NEW.leased_day, 1, NEW.is_new_to_site, NEW.leased_at / 3600000, 1)
  ON CONFLICT (account, day) DO UPDATE SET used = used + 1, given = given + excluded.given,
    hour_used = CASE hour WHEN excluded.hour THEN hour_used + 1 ELSE 1 END, hour = excluded.hour;
END;

-- Returns room to the day and hour that it was taken from. `given` falls only when a person called the work back, by a
-- pause, a cancellation or a removal. Otherwise a client who sends and cancels would use up every account's day.
-- A removal that the site itself reported, as a recipient's reply, does not lower `given`.
-- Compare with `=` and OR: for an IN of three or more values SQLite fills a table whenever the trigger runs.
CREATE TRIGGER deliveries_cap_returned AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'leased' AND (NEW.state = 'queued' OR NEW.state = 'cancelled' OR NEW.state = 'skipped'))
  OR (OLD.state = 'unknown' AND NEW.by = 1 AND (NEW.state = 'queued' OR NEW.state = 'cancelled'))
BEGIN
  UPDATE account_days SET used = used - 1, hour_used = hour_used - (hour = OLD.leased_at / 3600000),
    given = given - (OLD.is_new_to_site AND CASE NEW.state WHEN 'cancelled' THEN 1
      WHEN 'skipped' THEN NOT EXISTS (SELECT 1 FROM suppressions WHERE phone = NEW.phone AND source = 'reply')
      ELSE EXISTS (SELECT 1 FROM campaigns
        WHERE id = NEW.campaign AND status <> 'processing' AND status <> 'active') END)
  WHERE account = OLD.account AND day = OLD.leased_day;
END;

-- The frequency cap of marketing (no invariant). A delivery of a marketing campaign that becomes sent or unknown fires
-- these rules. They write in `recipients` when the client last messaged the number, and by which campaign.

-- An unknown outcome counts as sent until it is resolved. A test message to oneself does not count.
CREATE TRIGGER deliveries_marketing_sent AFTER UPDATE OF state ON deliveries
WHEN NEW.state IN ('sent', 'unknown') AND OLD.state NOT IN ('sent', 'unknown')
  AND (SELECT kind FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL) = 'marketing'
BEGIN
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT client, NEW.phone, NEW.updated_at, id FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (client, phone) DO UPDATE SET last_marketing_at = excluded.last_marketing_at,
    campaign = excluded.campaign;
END;

-- Removes the row when the delivery turns out not to be sent. No older message is forgotten: the cap let only this
-- campaign write to the number in that time, and campaigns whose people it writes to again. What one of these has sent,
-- or may have sent, takes the place.
CREATE TRIGGER deliveries_marketing_unsent AFTER UPDATE OF state ON deliveries
WHEN OLD.state IN ('sent', 'unknown') AND NEW.state NOT IN ('sent', 'unknown')
BEGIN
  DELETE FROM recipients WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
  INSERT INTO recipients (client, phone, last_marketing_at, campaign)
  SELECT c.client, NEW.phone, o.updated_at, c.id
  FROM (SELECT id FROM deliveries WHERE id = OLD.origin
    UNION SELECT id FROM deliveries WHERE origin = coalesce(OLD.origin, OLD.id)) f
    JOIN deliveries o ON o.id = f.id JOIN campaigns c ON c.id = o.campaign
  WHERE NEW.phone > 0 AND o.id <> NEW.id AND o.phone = NEW.phone AND o.state IN ('sent', 'unknown') AND c.kind = 'marketing'
    AND c.client = (SELECT client FROM campaigns WHERE id = NEW.campaign)
  ORDER BY o.updated_at DESC LIMIT 1
  ON CONFLICT (client, phone) DO NOTHING;
END;

-- I3: a client's balance is the sum of the client's ledger entries at every commit, and never below 0. A delivery that
-- becomes or stops being failed, skipped or cancelled adds an entry; an entry changes the balance.

-- A delivery holds one unit while it is queued, leased, sent or unknown. This is a separate trigger because most moves
-- change nothing here. Rows that a cancelled campaign moves later are already refunded (01_campaign_counters.sql).
CREATE TRIGGER deliveries_money AFTER UPDATE OF state ON deliveries
WHEN (OLD.state = 'failed' OR OLD.state = 'skipped' OR OLD.state = 'cancelled')
  <> (NEW.state = 'failed' OR NEW.state = 'skipped' OR NEW.state = 'cancelled') AND NOT (
  OLD.state = 'queued' AND NEW.state = 'cancelled' AND OLD.resent = 0
  AND (SELECT status FROM campaigns WHERE id = NEW.campaign) = 'cancelled'
)
BEGIN
  -- A refunded delivery turns out to be sent while the client's balance is 0: the house pays, in a `cover` entry.
  INSERT INTO quota_ledger (client, at, kind, delta, campaign, delivery)
  SELECT c.client, NEW.updated_at, 'cover', 1, NEW.campaign, NEW.id
  FROM campaigns c JOIN users u ON u.id = c.client
  WHERE c.id = NEW.campaign AND u.message_quota = 0 AND c.status NOT IN ('draft', 'ready')
    AND OLD.state IN ('failed', 'skipped', 'cancelled');
  INSERT INTO quota_ledger (client, at, kind, delta, campaign, delivery)
  SELECT c.client, NEW.updated_at,
    CASE WHEN NEW.state IN ('failed', 'skipped', 'cancelled') THEN 'refund' ELSE 'charge' END,
    CASE WHEN NEW.state IN ('failed', 'skipped', 'cancelled') THEN 1 ELSE -1 END,
    NEW.campaign, NEW.id
  FROM campaigns c
  WHERE c.id = NEW.campaign AND c.status NOT IN ('draft', 'ready');
END;

-- `users.message_quota` has a CHECK that refuses a balance below 0.
CREATE TRIGGER quota_ledger_balance AFTER INSERT ON quota_ledger
BEGIN
  UPDATE users SET message_quota = message_quota + NEW.delta WHERE id = NEW.client;
  UPDATE quota_ledger SET balance_after = (SELECT message_quota FROM users WHERE id = NEW.client)
  WHERE id = NEW.id;
  -- DELETE and INSERT: the outer statement's conflict clause would replace an OR REPLACE written here.
  DELETE FROM events WHERE type = 'quota_changed' AND client = NEW.client;
  INSERT INTO events (at, type, client, data)
  SELECT NEW.at, 'quota_changed', id, json_object('messageQuota', message_quota) FROM users WHERE id = NEW.client;
END;

-- An entry is never deleted, and never changed in what it says.
CREATE TRIGGER quota_ledger_append_only BEFORE DELETE ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER quota_ledger_written_once
BEFORE UPDATE OF client, at, kind, delta, campaign, delivery, actor, request_id, reason ON quota_ledger
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

-- Account health and trends (no invariant). An outcome that a site reports (`by` = 1) is counted in the account's hour
-- (`account_hours`) and in its client's (`client_hours`), and added to the account's latest deliveries
-- (`accounts.recent`).

-- Decisions of a person or of the clock are left out: they say nothing about the account.
CREATE TRIGGER deliveries_outcome_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.by = 1 AND (OLD.state = 'leased' OR OLD.state = 'unknown')
  AND (NEW.state = 'sent' OR NEW.state = 'failed' OR NEW.state = 'unknown')
  AND OLD.state <> NEW.state AND NEW.account IS NOT NULL
BEGIN
  INSERT INTO account_hours (hour, account, sent, failed, absent, unknown) VALUES (
    NEW.updated_at / 3600000, NEW.account, NEW.state = 'sent', NEW.state = 'failed',
    NEW.state = 'failed' AND NEW.reason IS 'not_on_app', NEW.state = 'unknown')
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    absent = absent + excluded.absent, unknown = unknown + excluded.unknown;
  INSERT INTO client_hours (hour, client, sent, failed, unknown)
  SELECT NEW.updated_at / 3600000, client, NEW.state = 'sent', NEW.state = 'failed', NEW.state = 'unknown'
  FROM campaigns WHERE id = NEW.campaign
  ON CONFLICT (hour, client) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    unknown = unknown + excluded.unknown;
  -- An index of deliveries by account would cost every delivery more than this list.
  UPDATE accounts SET recent = substr(NEW.id || ' ' || recent, 1, 300),
    last_sent_at = CASE WHEN NEW.state = 'sent' THEN NEW.updated_at ELSE last_sent_at END
  WHERE id = NEW.account;
END;

-- I7: a delivery moves only as LEGAL_MOVES of shared/delivery.ts allows. A change of `state` or `by` fires this rule,
-- which refuses every other move. `rules_test.ts` compares every combination.
-- by: 0 edge, 1 site, 2 person, 3 clock or revoked site, 4 journal lost, 5 earlier doubt, 6 journal doubted.

-- The moves from queued, failed, skipped and cancelled to `sent` and `unknown` serve a restored database: sites report
-- the outcomes that it lost (docs/protocol.md, rule 17).
CREATE TRIGGER deliveries_legal_move BEFORE UPDATE OF state, by ON deliveries
WHEN (OLD.state <> NEW.state OR OLD.by <> NEW.by) AND NOT CASE OLD.state || '>' || NEW.state
  WHEN 'queued>leased' THEN NEW.by = 0
  WHEN 'leased>sent' THEN NEW.by = 1
  WHEN 'leased>queued' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>failed' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>cancelled' THEN NEW.by = 1 OR (NEW.by = 0 AND OLD.acked_at IS NULL)
  WHEN 'leased>skipped' THEN NEW.by = 0 AND OLD.acked_at IS NULL
  WHEN 'leased>unknown' THEN NEW.by IN (1, 5) OR (NEW.by IN (3, 4, 6) AND OLD.acked_at IS NOT NULL)
  WHEN 'queued>cancelled' THEN NEW.by = 0
  WHEN 'queued>skipped' THEN NEW.by = 0
  WHEN 'queued>sent' THEN NEW.by = 1
  WHEN 'queued>unknown' THEN NEW.by IN (1, 5)
  WHEN 'unknown>sent' THEN NEW.by IN (1, 2)
  WHEN 'unknown>failed' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4, 5))
  WHEN 'unknown>queued' THEN NEW.by = 2 OR (NEW.by = 1 AND OLD.by IN (1, 3, 4))
  WHEN 'unknown>cancelled' THEN NEW.by = 1 AND OLD.by IN (1, 3, 4)
  WHEN 'unknown>unknown' THEN (NEW.by = 1 AND OLD.by IN (3, 4)) OR (NEW.by IN (5, 6) AND OLD.by IN (1, 3, 4))
  WHEN 'sent>sent' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>failed' THEN NEW.by = 1 AND OLD.by = 2
  WHEN 'sent>unknown' THEN NEW.by = 5 AND OLD.by = 2
  WHEN 'failed>sent' THEN NEW.by = 1
  WHEN 'failed>unknown' THEN NEW.by IN (1, 5) AND OLD.by IN (0, 1)
  WHEN 'skipped>sent' THEN NEW.by = 1
  WHEN 'skipped>unknown' THEN NEW.by IN (1, 5)
  WHEN 'cancelled>sent' THEN NEW.by = 1
  WHEN 'cancelled>unknown' THEN NEW.by IN (1, 5)
  ELSE 0 END
BEGIN
  SELECT RAISE(ABORT, 'illegal move of a delivery');
END;

-- I2: a sent campaign becomes ready again only when its send is taken back: it waited, none of its deliveries was ever
-- leased or reported, and it keeps neither units nor the words that were fixed at its send (edge/queue/take_back.ts).
CREATE TRIGGER campaigns_taken_back BEFORE UPDATE OF status ON campaigns
WHEN NEW.status IN ('draft', 'ready') AND OLD.status NOT IN ('draft', 'ready')
  AND (OLD.starts_at IS NULL OR OLD.first_leased_at IS NOT NULL OR OLD.leased_count > 0
    OR OLD.sent_count + OLD.unknown_count > 0
    OR NEW.reserved <> 0 OR NEW.sent_text IS NOT NULL OR NEW.sent_parts IS NOT NULL OR NEW.required_fields IS NOT NULL OR NEW.variant_count IS NOT NULL
    OR NEW.starts_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'illegal return of a sent campaign');
END;

-- I8: screens learn of every change of a campaign's status. Such a change writes a live event in the same commit.

CREATE TRIGGER campaigns_status_event AFTER UPDATE OF status ON campaigns
WHEN OLD.status <> NEW.status
BEGIN
  INSERT INTO events (at, type, client, campaign, data) VALUES (
    NEW.updated_at,
    CASE
      WHEN OLD.status = 'processing' AND NEW.status = 'active' THEN 'campaign_started'
      WHEN NEW.status = 'completed' THEN 'campaign_completed'
      WHEN NEW.status IN ('completed_with_errors', 'failed', 'cancelled') THEN 'campaign_ended'
      WHEN NEW.status = 'paused' THEN 'campaign_paused'
      ELSE 'campaign_changed' END,
    NEW.client, NEW.id,
    json_object(
      'campaignId', NEW.id, 'name', NEW.name, 'status', NEW.status,
      'totalContacts', NEW.queued_count + NEW.leased_count + NEW.sent_count + NEW.failed_count
        + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count,
      'sentCount', NEW.sent_count, 'completedAt', NEW.completed_at,
      'counts', json_object(
        'queued', NEW.queued_count, 'leased', NEW.leased_count, 'sent', NEW.sent_count,
        'failed', NEW.failed_count, 'unknown', NEW.unknown_count, 'skipped', NEW.skipped_count,
        'cancelled', NEW.cancelled_count)));
END;

-- Keeps the id of a client's newest event: while it is the same, the client's campaign list need not be read again.
CREATE TRIGGER events_change_no AFTER INSERT ON events
WHEN NEW.client IS NOT NULL
BEGIN
  UPDATE users SET change_no = NEW.id WHERE id = NEW.client;
END;

-- Parked work (no invariant): with automatic failover off, the work of a lost account waits until the account works
-- again. A change of an account's state parks its queued deliveries (PARKED of shared/lease.ts) or frees them.

-- Frees the parked deliveries of an account that works again.
CREATE TRIGGER accounts_back AFTER UPDATE OF state ON accounts
WHEN NEW.state = 'ok' AND OLD.state <> 'ok'
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before = 253402300799000
    AND account = NEW.id AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- Parks deliveries that the account returned just before its loss was known. A site reports the returned work first and
-- the loss later, so returned work waits ACCOUNT_WORD_MS (shared/lease.ts) for this rule to find it.
CREATE TRIGGER accounts_lost AFTER UPDATE OF state ON accounts
WHEN OLD.state = 'ok' AND NEW.state <> 'ok'
  AND (SELECT value FROM settings WHERE key = 'autoFailover') = 'false'
BEGIN
  UPDATE deliveries SET not_before = 253402300799000
  WHERE state = 'queued' AND not_before > NEW.updated_at AND not_before = updated_at + 10000 AND account = NEW.id
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- The age of a state, and the end of a confirmation (no invariant). A new or changed state of a phone or account writes
-- `state_since`; a changed account also writes a line in the activity list.

CREATE TRIGGER devices_first_state AFTER INSERT ON devices
BEGIN
  UPDATE devices SET state_since = NEW.first_seen_at WHERE id = NEW.id;
END;

CREATE TRIGGER devices_state AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE devices SET state_since = NEW.updated_at WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_first_state AFTER INSERT ON accounts
BEGIN
  UPDATE accounts SET state_since = NEW.first_seen_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') THEN NEW.first_seen_at END
  WHERE id = NEW.id;
END;

CREATE TRIGGER accounts_state AFTER UPDATE OF state ON accounts
WHEN OLD.state <> NEW.state
BEGIN
  UPDATE accounts SET state_since = NEW.updated_at,
    banned_at = CASE WHEN NEW.state IN ('banned', 'restricted') AND OLD.state NOT IN ('banned', 'restricted')
      THEN NEW.updated_at ELSE banned_at END
  WHERE id = NEW.id;
  -- A phone out of reach has its own line (11_activity.sql), so its accounts get none.
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at,
    CASE WHEN NEW.state IN ('banned', 'restricted') THEN 'error' WHEN NEW.state = 'ok' THEN 'success' ELSE 'warning' END,
    'account_' || NEW.state,
    json_object('account', substr(NEW.key, instr(NEW.key, '/') + 1),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name),
    NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site
  WHERE d.id = NEW.device AND s.inventory_changes IS NULL AND 'unreachable' NOT IN (OLD.state, NEW.state);
END;

-- A person confirmed the account that the app held at that time. Another own number ends the confirmation.
CREATE TRIGGER accounts_number_changed AFTER UPDATE OF own_number ON accounts
WHEN OLD.own_number <> NEW.own_number
BEGIN
  UPDATE accounts SET confirmed_at = NULL, trusted = (SELECT simulated FROM sites WHERE id = NEW.site)
  WHERE id = NEW.id;
  INSERT INTO activity (at, kind, code, data, site, device)
  SELECT NEW.updated_at, 'warning', 'account_number_changed',
    json_object('account', coalesce(nullif(NEW.label, ''), substr(NEW.key, instr(NEW.key, '/') + 1)),
      'device', coalesce(nullif(d.model, ''), d.key), 'site', s.name), NEW.site, NEW.device
  FROM devices d JOIN sites s ON s.id = d.site WHERE d.id = NEW.device AND s.inventory_changes IS NULL;
END;

-- The activity list of administrators (I8: each line is also a live event; its words are in live/browser_hub.ts).
-- Changes of campaigns, sites, devices, imports and quotas each write a line. While an inventory with several changes
-- is written, `sites.inventory_changes` counts them, and one line sums them up.

CREATE TRIGGER activity_event AFTER INSERT ON activity
BEGIN
  INSERT INTO events (at, type, for_admins, data) VALUES (NEW.at, 'activity', 1, json_object(
    'id', NEW.id, 'kind', NEW.kind, 'code', NEW.code, 'data', NEW.data, 'at', NEW.at,
    'site', NEW.site, 'device', NEW.device, 'campaign', NEW.campaign, 'user', NEW.user));
END;

-- A reset of queues writes one line for all its campaigns. A test message to oneself writes none.
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

CREATE TRIGGER campaigns_taken_back_activity AFTER UPDATE OF status ON campaigns
WHEN NEW.status = 'ready' AND OLD.status NOT IN ('draft', 'ready') AND NEW.test_of IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, campaign, user) VALUES (NEW.updated_at, 'warning', 'campaign_taken_back',
    json_object('campaign', NEW.name, 'client', (SELECT username FROM users WHERE id = NEW.client)),
    NEW.id, NEW.client);
END;

CREATE TRIGGER sites_added_activity AFTER INSERT ON sites
BEGIN
  INSERT INTO activity (at, kind, code, data, site)
  VALUES (NEW.created_at, 'info', 'site_created', json_object('site', NEW.name), NEW.id);
END;

CREATE TRIGGER devices_added_activity AFTER INSERT ON devices
WHEN (SELECT inventory_changes FROM sites WHERE id = NEW.site) IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (NEW.first_seen_at, 'info', 'device_added',
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site)), NEW.site, NEW.id);
END;

CREATE TRIGGER devices_state_activity AFTER UPDATE OF state ON devices
WHEN OLD.state <> NEW.state AND (SELECT inventory_changes FROM sites WHERE id = NEW.site) IS NULL
BEGIN
  INSERT INTO activity (at, kind, code, data, site, device) VALUES (
    NEW.updated_at, CASE NEW.state WHEN 'online' THEN 'success' WHEN 'booting' THEN 'info' ELSE 'warning' END,
    'device_' || NEW.state,
    json_object('device', coalesce(nullif(NEW.model, ''), NEW.key),
      'site', (SELECT name FROM sites WHERE id = NEW.site), 'battery', NEW.battery_percent),
    NEW.site, NEW.id);
END;

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

CREATE TRIGGER quota_ledger_activity AFTER INSERT ON quota_ledger
WHEN NEW.kind IN ('grant', 'correction')
BEGIN
  INSERT INTO activity (at, kind, code, data, user) SELECT NEW.at, 'info',
    CASE NEW.kind WHEN 'grant' THEN 'quota_loaded' ELSE 'quota_corrected' END, json_object('client', username, 'delta', NEW.delta,
      'by', (SELECT username FROM users WHERE id = NEW.actor)), id
  FROM users WHERE id = NEW.client;
END;

-- The audit log (no invariant) is append-only: a delete, a change, or an insert with a seal is refused. Loaded quota,
-- ended imports and declarations of a campaign's kind write their entries here, so that no writer can forget them.

CREATE TRIGGER audit_log_append_only BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- A row changes once: when it is sealed.
CREATE TRIGGER audit_log_written_once BEFORE UPDATE ON audit_log
WHEN NOT (OLD.hash IS NULL AND OLD.seal IS NULL AND NEW.hash IS NOT NULL AND NEW.seal IS NOT NULL
  AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.kind = OLD.kind AND NEW.actor IS OLD.actor
  AND NEW.actor_name IS OLD.actor_name AND NEW.campaign IS OLD.campaign AND NEW.site IS OLD.site
  AND NEW.device IS OLD.device AND NEW.user IS OLD.user AND NEW.data = OLD.data)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- A new row has no seal and replaces no row.
CREATE TRIGGER audit_log_nothing_replaced BEFORE INSERT ON audit_log
WHEN NEW.hash IS NOT NULL OR NEW.seal IS NOT NULL OR EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER quota_ledger_audit AFTER INSERT ON quota_ledger
WHEN NEW.kind IN ('grant', 'correction')
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, user, data) VALUES (NEW.at,
    CASE NEW.kind WHEN 'grant' THEN 'quota_changed' ELSE 'quota_corrected' END, NEW.actor,
    (SELECT username FROM users WHERE id = NEW.actor), NEW.client,
    CASE NEW.kind WHEN 'grant' THEN json_object('delta', NEW.delta)
      ELSE json_object('delta', NEW.delta, 'reason', NEW.reason) END);
END;

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

-- Records a campaign created without a declared kind; the next trigger records a change of the kind.
CREATE TRIGGER campaigns_undeclared_audit AFTER INSERT ON campaigns
WHEN NEW.kind = 'undeclared' AND NEW.test_of IS NULL AND NEW.status = 'draft'
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.created_at, 'campaign_undeclared',
    NEW.client, (SELECT username FROM users WHERE id = NEW.client), NEW.id, '{}');
END;

CREATE TRIGGER campaigns_kind_audit AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind <> OLD.kind
BEGIN
  INSERT INTO audit_log (at, kind, actor, actor_name, campaign, data) VALUES (NEW.updated_at, 'campaign_kind_changed',
    NEW.client, (SELECT username FROM users WHERE id = NEW.client), NEW.id, json_object('kind', NEW.kind, 'was', OLD.kind));
END;

-- Consent is evidence (no invariant). Changing or deleting a declaration or its numbers is refused, with two exceptions
-- for people who are forgotten or erased.

CREATE TRIGGER consent_declarations_written_once BEFORE UPDATE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

CREATE TRIGGER consent_declarations_append_only BEFORE DELETE ON consent_declarations
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The only allowed change forgets the number: minus the row's id and a keyed mark replace it.
CREATE TRIGGER consents_written_once BEFORE UPDATE ON consents
WHEN NOT (OLD.phone > 0 AND NEW.phone = -OLD.id AND NEW.mark IS NOT NULL
  AND NEW.id = OLD.id AND NEW.client = OLD.client AND NEW.declaration = OLD.declaration)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- The only allowed delete: the owner of the number asked to be erased.
CREATE TRIGGER consents_append_only BEFORE DELETE ON consents
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE phone = OLD.phone)
BEGIN
  SELECT RAISE(ABORT, 'consents are append-only');
END;

-- Lawful advertising (no invariant). Sending a marketing campaign without its composed words is refused. A campaign that
-- becomes marketing loses its waiver of the sending hours.

-- A process of an earlier release does not compose the words that the law requires, so the database refuses its send.
CREATE TRIGGER campaigns_words_composed BEFORE UPDATE OF status ON campaigns
WHEN OLD.status = 'ready' AND NEW.status = 'processing' AND NEW.kind = 'marketing' AND NEW.sent_text IS NULL
BEGIN
  SELECT RAISE(ABORT, 'advertising is not sent without its composed words');
END;

-- The waiver was given for a service message. It does not return when the campaign becomes a service message again.
CREATE TRIGGER campaigns_waiver_of_service AFTER UPDATE OF kind ON campaigns
WHEN NEW.kind = 'marketing' AND NEW.hours_waived_at IS NOT NULL
BEGIN
  UPDATE campaigns SET hours_waived_at = NULL, hours_waived_by = NULL, hours_waived_why = NULL WHERE id = NEW.id;
END;

-- I4: a newly enrolled site has no past to report. Its first public key writes `told_generation`. Without it the site
-- could move rows of any client with `outcomes` frames until it sent the last of them (docs/protocol.md, rule 17).

-- The database does this because an edge of an earlier release also enrols sites.
CREATE TRIGGER sites_first_key AFTER UPDATE OF public_key ON sites
WHEN OLD.public_key IS NULL AND NEW.public_key IS NOT NULL
BEGIN
  UPDATE sites SET told_generation = (SELECT value FROM system WHERE key = 'generation') WHERE id = NEW.id;
END;

-- I6: a tap may keep the pace of its lease although the setting has changed since. A change of the setting `rateLimit`
-- writes the old value in `past_paces`, where it is kept for 30 days.

-- The first value replaces the default of 1 second.
CREATE TRIGGER settings_first_pace AFTER INSERT ON settings WHEN NEW.key = 'rateLimit'
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (1, NEW.updated_at);
END;

CREATE TRIGGER settings_pace_changed AFTER UPDATE OF value ON settings
WHEN NEW.key = 'rateLimit' AND OLD.value <> NEW.value
BEGIN
  INSERT INTO past_paces (seconds, until) VALUES (CAST(OLD.value AS REAL), NEW.updated_at);
  DELETE FROM past_paces WHERE until < NEW.updated_at - 30 * 86400000;
END;

-- I1: a campaign ends when none of its deliveries is queued or leased. A change of its counters fires this rule, which
-- writes the status and the time of the end. A resend opens the campaign again; late outcomes may change how it ended.
-- SQLite fires the newest trigger first, so this last file fires first.

CREATE TRIGGER campaigns_derived_end AFTER UPDATE OF
  queued_count, leased_count, sent_count, failed_count, unknown_count, skipped_count, cancelled_count ON campaigns
WHEN (NEW.status = 'active' OR NEW.status = 'processing' OR NEW.status = 'paused'
    OR NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed')
  AND NEW.status <> CASE
    WHEN NEW.queued_count + NEW.leased_count > 0 THEN
      CASE WHEN NEW.status = 'completed' OR NEW.status = 'completed_with_errors' OR NEW.status = 'failed'
        THEN 'active' ELSE NEW.status END
    WHEN NEW.sent_count > 0
      AND NEW.failed_count + NEW.unknown_count + NEW.skipped_count + NEW.cancelled_count = 0 THEN 'completed'
    WHEN NEW.sent_count + NEW.unknown_count > 0 THEN 'completed_with_errors'
    ELSE 'failed' END
BEGIN
  UPDATE campaigns SET
    status = CASE
      WHEN queued_count + leased_count > 0 THEN 'active'
      WHEN sent_count > 0 AND failed_count + unknown_count + skipped_count + cancelled_count = 0 THEN 'completed'
      WHEN sent_count + unknown_count > 0 THEN 'completed_with_errors'
      ELSE 'failed' END,
    completed_at = CASE WHEN queued_count + leased_count > 0 THEN NULL ELSE coalesce(completed_at, updated_at) END,
    paused_by = NULL
  WHERE id = NEW.id;
END;

-- A chat keeps its sender (no invariant). A delivery that becomes sent notes in `senders` the account that wrote to the
-- number for this client; one that turns out not to be sent takes its own note back.

-- A test to oneself is not noted, and neither is a number that was forgotten. Of a row that was sent again, an earlier
-- attempt may be the one that arrived.
CREATE TRIGGER deliveries_sender_known AFTER UPDATE OF state ON deliveries
WHEN NEW.state = 'sent' AND OLD.state <> 'sent' AND NEW.account IS NOT NULL AND NEW.phone > 0
BEGIN
  INSERT INTO senders (client, phone, account, campaign, at)
  SELECT client, NEW.phone, CASE WHEN NEW.resent = 0 THEN NEW.account ELSE coalesce((
      SELECT a.account FROM resends r JOIN attempts a ON a.campaign = r.campaign AND a.phone = r.phone
        AND a.token = r.token AND a.account IS NOT NULL
      WHERE r.campaign = NEW.campaign AND r.phone = NEW.phone AND r.known = 2 ORDER BY a.id DESC LIMIT 1), NEW.account) END,
    id, NEW.updated_at FROM campaigns WHERE id = NEW.campaign AND test_of IS NULL
  ON CONFLICT (client, phone) DO UPDATE SET account = excluded.account, campaign = excluded.campaign,
    at = excluded.at WHERE excluded.at >= at;
END;

-- An older sender is forgotten with it.
CREATE TRIGGER deliveries_sender_unknown AFTER UPDATE OF state ON deliveries
WHEN OLD.state = 'sent' AND NEW.state <> 'sent'
BEGIN
  DELETE FROM senders WHERE phone = NEW.phone AND campaign = NEW.campaign
    AND client = (SELECT client FROM campaigns WHERE id = NEW.campaign);
END;

-- A row that was left for a sender (`awaits`) takes its place in the list again as soon as that sender cannot take it.
CREATE TRIGGER accounts_left_in_vain AFTER UPDATE OF state, trip ON accounts
WHEN (NEW.state <> 'ok' AND OLD.state = 'ok') OR (NEW.trip IS NOT NULL AND OLD.trip IS NULL)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND awaits = NEW.id AND not_before > 0
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

CREATE TRIGGER devices_left_in_vain AFTER UPDATE OF state, stopped, site_stopped ON devices
WHEN (NEW.state <> 'online' AND OLD.state = 'online') OR NEW.stopped > OLD.stopped
  OR (NEW.site_stopped IS 1 AND OLD.site_stopped IS NOT 1)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before > 0
    AND awaits IN (SELECT id FROM accounts WHERE device = NEW.id)
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- A site's unconfirmed accounts rest together.
CREATE TRIGGER sites_left_in_vain AFTER UPDATE OF revoked, stopped, draining, unconfirmed_rest ON sites
WHEN NEW.revoked > OLD.revoked OR NEW.stopped > OLD.stopped OR NEW.draining > OLD.draining
  OR (NEW.unconfirmed_rest IS NOT NULL AND OLD.unconfirmed_rest IS NULL)
BEGIN
  UPDATE deliveries SET not_before = 0 WHERE state = 'queued' AND not_before > 0
    AND awaits IN (SELECT id FROM accounts WHERE site = NEW.id AND (NEW.revoked OR NEW.stopped OR NEW.draining
      OR (confirmed_at IS NULL AND trusted = 0)))
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- Another campaign of the client found another sender meanwhile: the row is looked at again.
CREATE TRIGGER senders_left_for_another AFTER UPDATE OF account ON senders
WHEN NEW.account <> OLD.account
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND phone = NEW.phone AND awaits = OLD.account
    AND campaign IN (SELECT id FROM campaigns WHERE client = NEW.client AND status IN ('processing', 'active', 'paused'));
END;

-- Without the setting nobody waits.
CREATE TRIGGER settings_sender_set AFTER INSERT ON settings
WHEN NEW.key = 'stickySender' AND NEW.value = 'false'
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND awaits IS NOT NULL
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

CREATE TRIGGER settings_sender_changed AFTER UPDATE OF value ON settings
WHEN NEW.key = 'stickySender' AND NEW.value = 'false' AND OLD.value <> 'false'
BEGIN
  UPDATE deliveries SET not_before = 0, awaits = NULL WHERE state = 'queued' AND awaits IS NOT NULL
    AND campaign IN (SELECT id FROM campaigns WHERE status IN ('processing', 'active', 'paused'));
END;

-- The size of a list is the number of its members, and nothing of a contact outlives it (no invariant of the queue).
-- A verb that adds members counts them in its transaction; what removes them is counted here, erasure included.

CREATE TRIGGER list_members_removed AFTER DELETE ON list_members
BEGIN
  UPDATE lists SET size = size - 1 WHERE id = OLD.list;
END;

-- The values of a contact who is in a run are removed by edge/people/remove_contacts.ts, in the same transaction.
CREATE TRIGGER contacts_removed AFTER DELETE ON contacts
BEGIN
  DELETE FROM list_members WHERE phone = OLD.phone AND list IN (SELECT id FROM lists WHERE client = OLD.client);
  DELETE FROM contact_keys WHERE client = OLD.client AND phone = OLD.phone;
END;

-- Privacy (no invariant). A test to oneself uses the values of a recipient, whose number is not its own: neither erasure
-- nor retention would look for them there. So they go when the test has ended.
CREATE TRIGGER campaigns_test_values AFTER UPDATE OF status ON campaigns
WHEN NEW.test_of IS NOT NULL AND OLD.status <> NEW.status
  AND NEW.status IN ('completed', 'completed_with_errors', 'failed', 'cancelled')
BEGIN
  UPDATE deliveries SET fields = NULL WHERE campaign = NEW.id AND fields IS NOT NULL;
END;

-- I2: each recipient gets exactly one of a campaign's texts. A row's text is set at its first claim and never changes,
-- also when it is sent again. What came of each text is counted beside it.

CREATE TRIGGER deliveries_variant_kept BEFORE UPDATE OF variant ON deliveries
WHEN OLD.variant IS NOT NULL AND NEW.variant IS NOT OLD.variant
BEGIN
  SELECT RAISE(ABORT, 'the text of a delivery never changes');
END;

CREATE TRIGGER deliveries_variant_counted AFTER UPDATE OF state ON deliveries
WHEN NEW.variant IS NOT NULL AND OLD.state <> NEW.state
  AND (OLD.state IN ('sent', 'failed', 'unknown') OR NEW.state IN ('sent', 'failed', 'unknown'))
BEGIN
  UPDATE sent_variants SET
    sent = sent + (NEW.state = 'sent') - (OLD.state = 'sent'),
    failed = failed + (NEW.state = 'failed') - (OLD.state = 'failed'),
    unknown = unknown + (NEW.state = 'unknown') - (OLD.state = 'unknown')
  WHERE campaign = NEW.campaign AND no = NEW.variant;
END;
