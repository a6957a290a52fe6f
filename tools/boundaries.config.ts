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
  '/(test|testing|stand-in)/',
  '^tools/',
];
const TEST_LIBRARIES = ['vitest', 'fast-check'];
const DRIVERS = ['@mikro-orm', 'kysely', 'pg', 'pg-[^/]+'];
const CLICKHOUSE = '@clickhouse';
const EMBEDDED = '@embedded-postgres';
const ROOTS = String.raw`^apps/[^/]+/src/(container|main)(\.test)?\.ts$`;
const ZOD_EDGES = [
  '^packages/contract/',
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

/** The modules of these packages, declared or not. */
const npm = (...names: readonly string[]): string => `(^|node_modules/)(${names.join('|')})(/|$)`;

const direction = [
  rule(
    'domain-imports-nothing',
    'The domain depends on nothing, not even on node. Flow does not either.',
    shipped('^packages/domain/'),
    { pathNot: ['^packages/domain/', '^packages/flow/src/(?!node/)'] },
  ),
  rule(
    'flow-imports-nothing',
    'It schedules whatever is run, and knows nothing of it. The domain uses it, so it does without node.',
    { path: '^packages/flow/src/', pathNot: ['^packages/flow/src/node/', ...TEST_CODE] },
    { pathNot: '^packages/flow/src/(?!node/)' },
  ),
  rule(
    'flow-on-node-imports-node-alone',
    'What is scheduled by the clock and the event loop of node.',
    shipped('^packages/flow/src/node/'),
    { pathNot: '^packages/flow/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'contract-imports-zod-alone',
    'The contract is what travels on the wire, and is shared with clients.',
    shipped('^packages/contract/'),
    { pathNot: ['^packages/contract/', npm('zod')] },
  ),
  rule(
    'client-imports-types-alone',
    'A browser loads the client and nothing else; the contract lends its types.',
    shipped('^packages/client/src/(?!runtime/)'),
    { pathNot: ['^packages/client/src/(?!runtime/)', '^packages/contract/'] },
  ),
  rule(
    'client-runtime-imports-node-alone',
    'The entry for Node needs no package either.',
    shipped('^packages/client/src/runtime/'),
    { pathNot: '^packages/(client|contract)/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'client-runs-without-the-contract',
    'What validates requests stays on the server.',
    shipped('^packages/client/src/'),
    { path: '^packages/contract/', dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'persistence-imports-domain-and-database',
    'Persistence implements the ports of the domain on PostgreSQL, traces its statements, and remembers what it used last.',
    shipped('^packages/persistence/'),
    {
      pathNot: ['^packages/(persistence|domain|flow|tracing)/', npm(...DRIVERS, 'lru-cache')],
      dependencyTypesNot: ['core'],
    },
  ),
  rule(
    'clickhouse-imports-domain-and-client',
    'The log in ClickHouse implements a port of the domain, and knows nothing of PostgreSQL.',
    shipped('^packages/clickhouse/'),
    {
      pathNot: ['^packages/(clickhouse|domain|flow|tracing)/', npm(CLICKHOUSE)],
      dependencyTypesNot: ['core'],
    },
  ),
  rule(
    'embedded-postgres-stands-alone',
    'It runs a PostgreSQL, and knows nothing of what is stored there.',
    shipped('^packages/embedded-postgres/'),
    { pathNot: '^packages/embedded-postgres/', dependencyTypesNot: ['core'] },
  ),
  rule(
    'tracing-stands-alone',
    'It traces whatever is run, and knows nothing of it.',
    shipped('^packages/tracing/'),
    { pathNot: ['^packages/tracing/', npm('@opentelemetry')], dependencyTypesNot: ['core'] },
  ),
  rule(
    'conformance-imports-ajv-alone',
    'What holds the service to its document sees only the document and the answers.',
    shipped('^packages/conformance/'),
    { pathNot: ['^packages/conformance/', npm('ajv', 'ajv-formats')], dependencyTypesNot: ['core'] },
  ),
  rule(
    'testing-imports-domain-and-flow',
    'Port contracts and builders know no adapter.',
    { path: '^packages/testing/' },
    { pathNot: ['^packages/(testing|domain|flow)/', '^tools/', npm(...TEST_LIBRARIES)] },
  ),
  rule(
    'server-is-for-apps-alone',
    'What the apps have in common knows everything but them; nothing else knows it.',
    { path: '^packages/', pathNot: '^packages/server/' },
    { path: '^packages/server/' },
  ),
  rule(
    'console-imports-the-client',
    'A browser loads the console; it knows the service by its client alone.',
    { path: '^apps/console/src/', pathNot: TEST_CODE },
    {
      pathNot: [
        '^apps/console/',
        '^packages/client/',
        npm(
          'react',
          'react-dom',
          'wouter',
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
    'An app starts another one as a process.',
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
  comment:
    'A test that starts an optional program says so in its name, and is left out where the program is missing.',
  severity: 'error',
  from: {
    path: String.raw`^(apps|packages)/.+\.test\.ts$`,
    pathNot: String.raw`\.(${OPTIONAL_PROGRAMS.map(({ neededBy }) => neededBy).join('|')})\.(fault\.)?test\.ts$`,
  },
  to: { path: String.raw`^tools/programs\.ts$`, reachable: true },
};

const territory = [
  rule(
    'test-code-stays-in-tests',
    'What is shipped runs without test code and test libraries.',
    { pathNot: [...TEST_CODE, '^apps/bench/'] },
    { path: [...TEST_CODE, npm(...TEST_LIBRARIES)] },
  ),
  optionalProgramsAreNamed,
  rule(
    'wiring-stays-in-containers',
    'One composition root an app; nothing else knows that there is a container.',
    { pathNot: ROOTS },
    { path: npm('tsyringe', 'reflect-metadata') },
  ),
  rule(
    'zod-stays-at-the-edges',
    'The contract, the environment, what checks requests and what describes them.',
    { pathNot: ZOD_EDGES },
    { path: npm('zod') },
  ),
  rule(
    'database-stays-in-persistence',
    'Only persistence and the tests of the embedded database know the drivers; the bench compares with bare statements.',
    { pathNot: ['^packages/(persistence|embedded-postgres)/', '^apps/bench/'] },
    { path: npm(...DRIVERS, EMBEDDED) },
  ),
  rule(
    'opentelemetry-stays-in-tracing',
    'Everything else knows spans by the functions of the tracing package, which do nothing while tracing is off. Tests of OTLP use its exporters.',
    { pathNot: ['^packages/tracing/', '^apps/worker/src/testing/'] },
    { path: npm('@opentelemetry') },
  ),
  rule(
    'clickhouse-client-stays-in-its-package',
    'Only the package of ClickHouse knows its client.',
    { pathNot: ['^packages/clickhouse/', '^apps/bench/'] },
    { path: npm(CLICKHOUSE) },
  ),
  rule(
    'fastify-stays-in-apps',
    'HTTP is a matter of the apps and of the server package, which is what they have in common.',
    { pathNot: ['^apps/', '^packages/server/'] },
    { path: npm('fastify', 'fastify-[^/]+', '@fastify') },
  ),
];

const hygiene = [
  rule('no-unresolved-imports', 'Missing, undeclared or not exported.', {}, { couldNotResolve: true }),
  rule(
    'no-undeclared-dependencies',
    'What a package imports stands in its own package.json.',
    { path: '^(packages|apps)/' },
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  rule(
    'no-shipped-dev-dependencies',
    'What is shipped runs without devDependencies.',
    shipped('^(packages|apps)/'),
    { dependencyTypes: ['npm-dev'] },
  ),
  rule('no-cycles', 'A cycle is one module in several files.', {}, { circular: true }),
  {
    ...rule(
      'no-folder-cycles',
      'The folders of the domain and of the stores are concepts, and each stands on those below it.',
      { path: '^packages/(domain|flow|persistence|clickhouse)/src/', pathNot: '/testing(/|$)' },
      { circular: true },
    ),
    scope: 'folder' as const,
  },
  rule(
    'no-orphans',
    'Nothing imports it, and it imports nothing.',
    { orphan: true, pathNot: String.raw`(^|/)vitest\.(alone\.|figures\.)?config\.ts$` },
    {},
  ),
];

const boundaries = {
  forbidden: [...direction, ...territory, ...hygiene],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    /** A test generates code there. */
    exclude: { path: String.raw`/\.reports/|^packages/client/dist/|^apps/console/dist/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
} satisfies IConfiguration;

export default boundaries;
