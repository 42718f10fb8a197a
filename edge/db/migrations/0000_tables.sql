CREATE TABLE `account_days` (
	`account` integer NOT NULL,
	`day` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `day`)
);
--> statement-breakpoint
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
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_site_key` ON `accounts` (`site`,`key`);--> statement-breakpoint
CREATE INDEX `accounts_device` ON `accounts` (`device`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `activity_at` ON `activity` (`at`);--> statement-breakpoint
CREATE TABLE `agent_tokens_seen` (
	`jti` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempts_once` ON `attempts` (`token`,`phone`,`outcome`);--> statement-breakpoint
CREATE INDEX `attempts_delivery` ON `attempts` (`campaign`,`phone`,`id`);--> statement-breakpoint
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
	FOREIGN KEY (`client`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`image`) REFERENCES `images`(`sha256`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `campaigns_client` ON `campaigns` (`client`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_live` ON `campaigns` (`client`,`send_at`) WHERE status IN ('processing','active');--> statement-breakpoint
CREATE INDEX `campaigns_image` ON `campaigns` (`image`);--> statement-breakpoint
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
	FOREIGN KEY (`campaign`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_campaign_phone` ON `deliveries` (`campaign`,`phone`);--> statement-breakpoint
CREATE INDEX `deliveries_queue` ON `deliveries` (`campaign`,`not_before`,`id`) WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX `deliveries_state` ON `deliveries` (`campaign`,`state`,`id`) WHERE state <> 'queued';--> statement-breakpoint
CREATE INDEX `deliveries_phone` ON `deliveries` (`phone`);--> statement-breakpoint
CREATE INDEX `deliveries_token` ON `deliveries` (`token`) WHERE state = 'leased';--> statement-breakpoint
CREATE INDEX `deliveries_site` ON `deliveries` (`site`) WHERE state = 'leased';--> statement-breakpoint
CREATE INDEX `deliveries_lease_until` ON `deliveries` (`lease_until`) WHERE state = 'leased';--> statement-breakpoint
CREATE INDEX `deliveries_resent` ON `deliveries` (`campaign`) WHERE resent > 0;--> statement-breakpoint
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
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_site_key` ON `devices` (`site`,`key`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `events_at` ON `events` (`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `events_progress` ON `events` (`campaign`) WHERE type = 'campaign_progress';--> statement-breakpoint
CREATE UNIQUE INDEX `events_quota` ON `events` (`client`) WHERE type = 'quota_changed';--> statement-breakpoint
CREATE TABLE `images` (
	`sha256` text PRIMARY KEY NOT NULL,
	`media_type` text NOT NULL,
	`bytes` blob NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`campaign` integer NOT NULL,
	`file_name` text NOT NULL,
	`status` text NOT NULL,
	`total_rows` integer DEFAULT 0 NOT NULL,
	`processed_rows` integer DEFAULT 0 NOT NULL,
	`added` integer DEFAULT 0 NOT NULL,
	`duplicates` integer DEFAULT 0 NOT NULL,
	`invalid` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`campaign`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `imports_campaign` ON `imports` (`campaign`,`id`);--> statement-breakpoint
CREATE INDEX `imports_running` ON `imports` (`updated_at`) WHERE status = 'processing';--> statement-breakpoint
CREATE TABLE `join_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`site` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`site`) REFERENCES `sites`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `login_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`first_at` integer NOT NULL,
	`blocked_until` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
	FOREIGN KEY (`client`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quota_ledger_request_id_unique` ON `quota_ledger` (`request_id`);--> statement-breakpoint
CREATE INDEX `quota_ledger_client` ON `quota_ledger` (`client`,`id`);--> statement-breakpoint
CREATE INDEX `quota_ledger_campaign` ON `quota_ledger` (`campaign`,`id`);--> statement-breakpoint
CREATE TABLE `resends` (
	`campaign` integer NOT NULL,
	`phone` integer NOT NULL,
	`attempt` integer NOT NULL,
	`token` text NOT NULL,
	`site` integer NOT NULL,
	`known` integer DEFAULT 0 NOT NULL,
	`user` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`campaign`, `phone`, `attempt`)
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`user_agent` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`user`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_name_unique` ON `sites` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `sites_public_key_unique` ON `sites` (`public_key`);--> statement-breakpoint
CREATE TABLE `suppressions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`client` integer DEFAULT 0 NOT NULL,
	`phone` integer NOT NULL,
	`source` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suppressions_phone` ON `suppressions` (`phone`,`client`);--> statement-breakpoint
CREATE TABLE `system` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ticks` (
	`name` text PRIMARY KEY NOT NULL,
	`claimed_until` integer NOT NULL
);
--> statement-breakpoint
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
	CONSTRAINT "users_quota_not_negative" CHECK("users"."message_quota" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);