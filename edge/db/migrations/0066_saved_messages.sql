-- Messages that a client keeps, to begin campaigns with.
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
--> statement-breakpoint
CREATE INDEX `saved_messages_client` ON `saved_messages` (`client`,`id`);
--> statement-breakpoint
CREATE INDEX `saved_messages_image` ON `saved_messages` (`image`) WHERE image IS NOT NULL;
