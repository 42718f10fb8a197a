-- Webhooks: what happened (written by rules/25_webhooks.sql), the addresses that want to know, the calls to them, and
-- the attempts. No row holds a number or a text of a recipient: bodies are read when they are sent.
CREATE TABLE `webhook_endpoints` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `owner` integer NOT NULL REFERENCES `users`(`id`),
  `hears` integer NOT NULL,
  `label` text NOT NULL,
  `url` text NOT NULL,
  `types` text NOT NULL,
  `messages` integer DEFAULT 0 NOT NULL,
  `quota_below` integer DEFAULT 100 NOT NULL,
  `secret` text NOT NULL,
  `secret_before` text,
  `secret_before_until` integer,
  `cursor` integer NOT NULL,
  `planned_at` integer DEFAULT 0 NOT NULL,
  `paused_at` integer,
  `paused_why` text,
  `failing_since` integer,
  `arrived_at` integer,
  `created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_owner` ON `webhook_endpoints` (`owner`, `id`);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_hears` ON `webhook_endpoints` (`hears`);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_messages` ON `webhook_endpoints` (`hears`) WHERE messages;
--> statement-breakpoint
CREATE TABLE `webhook_log` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `uid` text DEFAULT (lower(hex(randomblob(12)))) NOT NULL,
  `at` integer NOT NULL,
  `hears` integer NOT NULL,
  `type` text NOT NULL,
  `lane` integer DEFAULT 0 NOT NULL,
  `subject` integer,
  `only_for` integer,
  `data` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_log_hears` ON `webhook_log` (`hears`, `id`);
--> statement-breakpoint
CREATE TABLE `webhook_calls` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `endpoint` integer NOT NULL,
  `uid` text NOT NULL,
  `lane` integer NOT NULL,
  `type` text NOT NULL,
  `log_ids` text NOT NULL,
  `events` integer NOT NULL,
  `state` text DEFAULT 'waiting' NOT NULL,
  `made_at` integer NOT NULL,
  `first_at` integer,
  `next_at` integer DEFAULT 0 NOT NULL,
  `tries` integer DEFAULT 0 NOT NULL,
  `claimed_until` integer DEFAULT 0 NOT NULL,
  `claim` text,
  `ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_calls_endpoint` ON `webhook_calls` (`endpoint`, `id`);
--> statement-breakpoint
CREATE INDEX `webhook_calls_waiting` ON `webhook_calls` (`endpoint`, `lane`, `id`) WHERE state = 'waiting';
--> statement-breakpoint
CREATE INDEX `webhook_calls_given_up` ON `webhook_calls` (`endpoint`) WHERE state = 'given_up';
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `call` integer NOT NULL,
  `at` integer NOT NULL,
  `ms` integer NOT NULL,
  `status` integer,
  `reason` text
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_call` ON `webhook_attempts` (`call`, `id`);
--> statement-breakpoint
-- The causes of alerts that administrators' webhooks were told of and that last.
CREATE TABLE `raised_causes` (
  `cause` text PRIMARY KEY NOT NULL,
  `code` text NOT NULL,
  `severity` text NOT NULL,
  `amount` integer NOT NULL,
  `seen_at` integer NOT NULL
);
