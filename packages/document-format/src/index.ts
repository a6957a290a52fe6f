export { MisreadText, type Place } from './misread-text.ts';
export { parseStrictly, type ParsedText } from './parse-strictly.ts';
export { YAML_MAX_BYTES, yamlInThread, YamlTooCostly } from './yaml-in-thread.ts';
export { yamlOf } from './yaml-of.ts';
