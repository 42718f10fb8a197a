-- Messages by call: rows of hidden campaigns (carriers), one for each client, kind, image and day.
ALTER TABLE `campaigns` ADD `carrier_until` integer;
--> statement-breakpoint
ALTER TABLE `campaigns` ADD `carrier_no` integer;
--> statement-breakpoint
ALTER TABLE `deliveries` ADD `expires_at` integer;
--> statement-breakpoint
ALTER TABLE `users` ADD `carrier_served` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `campaigns_carriers` ON `campaigns` (`client`, `carrier_until`) WHERE carrier_until IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `deliveries_expiring` ON `deliveries` (`expires_at`) WHERE state = 'queued' AND expires_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE `message_images` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `client` integer NOT NULL REFERENCES `users`(`id`),
  `image` text NOT NULL REFERENCES `images`(`sha256`),
  `created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `message_images_image` ON `message_images` (`image`);
--> statement-breakpoint
CREATE TABLE `messages` (
  `id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `client` integer NOT NULL REFERENCES `users`(`id`),
  `delivery` integer,
  `kind` text NOT NULL,
  `reference` text,
  `send_after` integer,
  `expires_at` integer NOT NULL,
  `has_image` integer DEFAULT 0 NOT NULL,
  `created_at` integer NOT NULL,
  `made_by` integer,
  `by_key` integer,
  `phone` integer,
  `text` text,
  `outcome` text,
  `state` text,
  `reason` text,
  `updated_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_delivery` ON `messages` (`delivery`) WHERE delivery IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `messages_client` ON `messages` (`client`, `created_at`, `id`);
--> statement-breakpoint
CREATE INDEX `messages_reference` ON `messages` (`client`, `reference`) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `messages_tests` ON `messages` (`client`, `created_at`) WHERE delivery IS NULL;
--> statement-breakpoint
CREATE INDEX `messages_tests_waiting` ON `messages` (`id`) WHERE state = 'queued';
