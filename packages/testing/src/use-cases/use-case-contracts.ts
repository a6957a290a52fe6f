import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { applyDeclarationContract } from './apply-declaration.contract.ts';
import { issueApiKeyContract } from './issue-api-key.contract.ts';
import { queueJobContract } from './queue-job.contract.ts';
import { rearrangeRecordContract } from './rearrange-record.contract.ts';
import { registerPluginContract } from './register-plugin.contract.ts';
import { setConfigurationContract } from './set-configuration.contract.ts';
import { updateRecordContract } from './update-record.contract.ts';

/** Contract suites of the use cases. They run on any adapters of the ports. */
export const USE_CASE_CONTRACTS: Readonly<Record<string, (test: TestWith<Ports>) => void>> = {
  'applying a declaration': applyDeclarationContract,
  'issuing a key': issueApiKeyContract,
  'queueing a job': queueJobContract,
  'rearranging records': rearrangeRecordContract,
  'registering a plugin': registerPluginContract,
  'setting a configuration': setConfigurationContract,
  'updating a record': updateRecordContract,
};
