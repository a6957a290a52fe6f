import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { configuringContract } from './config-record-store/configuring.ts';
import { creatingContract } from './config-record-store/creating.ts';
import { lockingContract } from './config-record-store/locking.ts';
import { listingContract } from './config-record-store/listing.ts';
import { savingContract } from './config-record-store/saving.ts';
import { serialisingContract } from './config-record-store/serialising.ts';
import { familyCountersContract } from './config-record-store/family-counters.ts';

export function configRecordStoreContract(test: TestWith<Ports>): void {
  creatingContract(test);
  listingContract(test);
  savingContract(test);
  configuringContract(test);
  lockingContract(test);
  serialisingContract(test);
  familyCountersContract(test);
}
