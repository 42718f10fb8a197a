-- A search in one list of removals reads its numbers in their order, however long the list and those of others are.
CREATE INDEX `suppressions_client_phone` ON `suppressions` (`client`,`phone`);
