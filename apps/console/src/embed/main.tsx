// First, so the stylesheets of screens can override them.
import '../design/tokens.css';
import '../design/elements.css';
import '../design/components.css';
import './embed.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { newQueryClient } from '../shell/query-client.ts';
import { sendWith } from '../shell/service.ts';
import { Notices } from '../ui/notices.tsx';
import { addressOf } from './embed-address.ts';
import { EmbedGate } from './embed-gate.tsx';
import { EmbedScreens } from './embed-screens.tsx';
import { connectToProduct, reportHeight } from './product.ts';
import { applyTheme } from './theme.ts';
import { openTokens } from './tokens.ts';

const { base, project } = addressOf(location.pathname);
const root = document.querySelector('#embed');
const origins = document.querySelector<HTMLMetaElement>('meta[name=embed-origins]')?.content ?? '';

const product = connectToProduct(window, new Set(origins.split(' ')), ({ theme, lang }) => {
  applyTheme(theme);
  document.documentElement.lang = lang;
});
const tokens = openTokens(product.askForToken);
sendWith(tokens.fetch);
if (root !== null) {
  void reportHeight(root, product);
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={newQueryClient()}>
        <Router base={base}>
          <EmbedGate tokens={tokens} project={project}>
            {(projectId) => <EmbedScreens projectId={projectId} />}
          </EmbedGate>
        </Router>
      </QueryClientProvider>
      <Notices />
    </StrictMode>,
  );
}
