/** Where the guides can be read. */
const GUIDES_URL = 'https://github.com/plugin-config/service/blob/main/docs/';

/** The guides that screens link to, with their titles. */
export const GUIDES = {
  'tour.md': 'the tour',
  'runtimes.md': 'the guide to runtimes',
  'alerts.md': 'the guide to alerts',
  'webhooks.md': 'the guide to webhooks',
  'declarative.md': 'about the format',
  'access.md': 'about trusts',
  'send-logs.md': 'how a plugin sends its log',
  'api/ingestion.md': 'how entries and deliveries are sent',
  'api/jobs.md': 'about jobs',
} as const;

export type Guide = keyof typeof GUIDES;

export const guideUrl = (guide: Guide): string => GUIDES_URL + guide;
