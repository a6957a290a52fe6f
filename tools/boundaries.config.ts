import type {
  IConfiguration,
  IReachabilityForbiddenRuleType,
  IRegularForbiddenRuleType,
} from 'dependency-cruiser';
import { OPTIONAL_PROGRAMS } from './programs.ts';
import './read-using-declarations.ts';

// Which way imports may point. boundaries.test.ts proves that each of these rules fires.

const TEST_CODE = [
  String.raw`\.(test|contract|fixture)\.ts$`,
  String.raw`(^|/)vitest\.(alone\.|figures\.)?config\.ts$`,
  String.raw`(^|/)vite\.config\.ts$`,
  '/(test|testing)/',
  '^tools/',
];
const TEST_LIBRARIES = ['vitest', 'fast-check'];
const DRIVERS = ['@mikro-orm', 'pg', 'pg-[^/]+'];
/** The closed lists of the domain. */
const VOCABULARY = '^packages/domain/src/vocabulary/';
const CLICKHOUSE = '@clickhouse';
const EMBEDDED = '@embedded-postgres';
const ROOTS = String.raw`^apps/[^/]+/src/(container|main)(\.test)?\.ts$`;
const ZOD_EDGES = [
  '^packages/contract/',
  String.raw`^packages/client/write-(types|methods)\.ts$`,
  String.raw`^apps/.+/env\.ts$`,
  '^packages/server/src/env/',
  '^apps/http/src/(requests|openapi)/',
  String.raw`\.test\.ts$`,
];

type From = IRegularForbiddenRuleType['from'];
type To = IRegularForbiddenRuleType['to'];

const rule = (name: string, comment: string, from: From, to: To): IRegularForbiddenRuleType => ({
  name,
  comment,
  severity: 'error',
  from,
  to,
});

const shipped = (path: string): From => ({ path, pathNot: TEST_CODE });

/** Matches the modules of these packages, whether declared or not. */
const npm = (...names: readonly string[]): string => `(^|node_modules/)(${names.join('|')})(/|$)`;

const direction = [
  rule(
    'domain-imports-nothing',
    'The domain has no dependencies except flow, not even Node.',
    shipped('^packages/domain/'),
    { pathNot: ['^packages/domain/', '^packages/flow/src/(?!node/)'] },
  ),
  rule(
    'flow-imports-nothing',
    'Flow schedules work without knowing it. The domain uses it, so it must not depend on Node.',
    { path: '^packages/flow/src/', pathNot: ['^packages/flow/src/node/', ...TEST_CODE] },
    { pathNot: '^packages/flow/src/(?!node/)' },
  ),
  rule(
    'flow-on-node-imports-only-node',
    "Scheduling with Node's timers and event loop needs only Node.",
    shipped('^packages/flow/src/node/'),
    { pathNot: '^packages/flow/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'vocabulary-imports-nothing',
    'The closed lists are constants, which the contract shares with the domain.',
    { path: VOCABULARY },
    {},
  ),
  rule(
    'contract-imports-only-zod',
    'The contract describes the wire format, and is shared with clients. Of the domain it knows only the vocabulary.',
    shipped('^packages/contract/'),
    { pathNot: ['^packages/contract/', VOCABULARY, npm('zod')] },
  ),
  rule(
    'client-imports-only-types',
    'The client runs in browsers without dependencies. It uses only types of the contract.',
    shipped('^packages/client/src/(?!runtime/)'),
    { pathNot: ['^packages/client/src/(?!runtime/)', '^packages/contract/'] },
  ),
  rule(
    'client-runtime-imports-only-node',
    'The entry for Node has no dependencies, either.',
    shipped('^packages/client/src/runtime/'),
    { pathNot: '^packages/(client|contract)/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'client-runs-without-the-contract',
    'Validation of requests stays on the server. Bundles get the operations as data.',
    {
      path: '^packages/client/src/',
      pathNot: [String.raw`^packages/client/src/calls/operations\.ts$`, ...TEST_CODE],
    },
    { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'persistence-imports-domain-and-database',
    'Persistence implements the ports of the domain on PostgreSQL, with tracing, a cache and JSON Schema.',
    shipped('^packages/persistence/'),
    {
      pathNot: ['^packages/(persistence|domain|flow|tracing)/', npm(...DRIVERS, 'ajv', 'lru-cache', 're2js')],
      dependencyTypesNot: ['core'],
    },
  ),
  rule(
    'clickhouse-imports-domain-and-client',
    'The archive implements a port of the domain, and must not depend on PostgreSQL.',
    shipped('^packages/clickhouse/'),
    {
      pathNot: ['^packages/(clickhouse|domain|flow|tracing)/', npm(CLICKHOUSE)],
      dependencyTypesNot: ['core'],
    },
  ),
  rule(
    'embedded-postgres-imports-nothing',
    'It runs PostgreSQL, whatever the data.',
    shipped('^packages/embedded-postgres/'),
    { pathNot: '^packages/embedded-postgres/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'tracing-imports-only-opentelemetry',
    'It traces work without knowing it.',
    shipped('^packages/tracing/'),
    {
      pathNot: ['^packages/tracing/', npm('@opentelemetry')],
      dependencyTypesNot: ['core'],
    },
  ),
  rule(
    'conformance-imports-only-ajv',
    'The conformance checks must see only the document and the responses.',
    shipped('^packages/conformance/'),
    { pathNot: ['^packages/conformance/', npm('ajv', 'ajv-formats')], dependencyTypesNot: ['core'] },
  ),
  rule(
    'testing-imports-domain-and-flow',
    'Contract suites and builders must not depend on adapters.',
    { path: '^packages/testing/' },
    { pathNot: ['^packages/(testing|domain|flow)/', '^tools/', npm(...TEST_LIBRARIES)] },
  ),
  rule(
    'only-apps-import-server',
    'The server package has the code that the apps share. No other package may import it.',
    { path: '^packages/', pathNot: '^packages/server/' },
    { path: '^packages/server/' },
  ),
  rule(
    'console-imports-the-client',
    'The console runs in browsers, and uses the service only through the client. Of the domain it knows only the vocabulary, and which numbers keep their value.',
    { path: '^apps/console/src/', pathNot: TEST_CODE },
    {
      pathNot: [
        '^apps/console/',
        '^packages/client/',
        VOCABULARY,
        String.raw`^packages/domain/src/kernel/exact-number\.ts$`,
        npm(
          'react',
          'react-dom',
          'wouter',
          'lucide-react',
          'virtua',
          String.raw`@tanstack/react-query`,
          String.raw`@atlaskit/pragmatic-drag-and-drop`,
          String.raw`@atlaskit/pragmatic-drag-and-drop-hitbox`,
        ),
      ],
    },
  ),
  rule('packages-never-import-apps', 'Imports point inward.', { path: '^packages/' }, { path: '^apps/' }),
  rule(
    'apps-never-import-each-other',
    'An app starts other apps as processes.',
    { path: '^apps/([^/]+)/' },
    { path: '^apps/', pathNot: '^apps/$1/' },
  ),
  rule(
    'no-way-around-exports',
    'A package is imported by its name, through its exports.',
    { path: '^((?:packages|apps)/[^/]+)/' },
    { path: '^(packages|apps)/', pathNot: '^$1/', dependencyTypes: ['local'] },
  ),
];

const optionalProgramsAreNamed: IReachabilityForbiddenRuleType = {
  name: 'optional-programs-are-named',
  comment: 'The name of a test file says which optional programs it needs. It is skipped if one is missing.',
  severity: 'error',
  from: {
    path: String.raw`^(apps|packages)/.+\.test\.ts$`,
    pathNot: String.raw`\.(${OPTIONAL_PROGRAMS.map(({ neededBy }) => neededBy).join('|')})\.(fault\.)?test\.ts$`,
  },
  to: { path: String.raw`^tools/programs\.ts$`, reachable: true },
};

const placement = [
  rule(
    'test-code-stays-in-tests',
    'Production code must not import test code or test libraries.',
    { pathNot: [...TEST_CODE, '^apps/bench/'] },
    { path: [...TEST_CODE, npm(...TEST_LIBRARIES)] },
  ),
  optionalProgramsAreNamed,
  rule(
    'wiring-stays-in-containers',
    'Only the composition root of an app may use the container.',
    { pathNot: ROOTS },
    { path: npm('tsyringe', 'reflect-metadata') },
  ),
  rule(
    'zod-stays-at-the-edges',
    'Only the contract, the settings, and the validation and description of requests use Zod.',
    { pathNot: ZOD_EDGES },
    { path: npm('zod') },
  ),
  rule(
    'database-stays-in-persistence',
    'Only persistence and the tests of the embedded database use the drivers. The benchmark compares with bare statements.',
    { pathNot: ['^packages/(persistence|embedded-postgres)/', '^apps/bench/'] },
    { path: npm(...DRIVERS, EMBEDDED) },
  ),
  rule(
    'opentelemetry-stays-in-tracing',
    'Other code uses the functions of the tracing package, which are no-ops while tracing is off. OTLP tests use the exporters.',
    { pathNot: ['^packages/tracing/', '^apps/worker/src/testing/'] },
    { path: npm('@opentelemetry') },
  ),
  rule(
    'clickhouse-client-stays-in-its-package',
    'Only the ClickHouse package uses its client.',
    { pathNot: ['^packages/clickhouse/', '^apps/bench/'] },
    { path: npm(CLICKHOUSE) },
  ),
  rule(
    'fastify-stays-in-apps',
    'Only the apps, and the server package that they share, use HTTP.',
    { pathNot: ['^apps/', '^packages/server/'] },
    { path: npm('fastify', 'fastify-[^/]+', '@fastify') },
  ),
];

const hygiene = [
  rule(
    'no-unresolved-imports',
    'The import is missing, undeclared or not exported.',
    {},
    { couldNotResolve: true },
  ),
  rule(
    'no-undeclared-dependencies',
    'A package must declare its dependencies in its package.json.',
    { path: '^(packages|apps)/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  rule(
    'no-shipped-dev-dependencies',
    'Production code must not import devDependencies.',
    shipped('^(packages|apps)/[^/]+/src/'),
    { dependencyTypes: ['npm-dev'] },
  ),
  rule('no-cycles', 'Files in a cycle are really one module.', {}, { circular: true }),
  {
    ...rule(
      'no-folder-cycles',
      'The folders of the domain and the stores are concepts, which build on each other without cycles.',
      { path: '^packages/(domain|flow|persistence|clickhouse)/src/', pathNot: '/testing(/|$)' },
      { circular: true },
    ),
    scope: 'folder' as const,
  },
  rule(
    'no-orphans',
    'A file that imports nothing and that no file imports is unused.',
    { orphan: true, pathNot: String.raw`(^|/)vitest\.(alone\.|figures\.)?config\.ts$` },
    {},
  ),
];

const boundaries = {
  forbidden: [...direction, ...placement, ...hygiene],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    /** Generated by tests and builds. */
    exclude: { path: String.raw`/\.reports/|^packages/client/dist/|^apps/console/dist/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
} satisfies IConfiguration;

export default boundaries;
