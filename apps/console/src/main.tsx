// First, so the stylesheets of screens can override them.
import './design/tokens.css';
import './design/elements.css';
import './design/components.css';
import './shell/shell.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { SessionGate } from './session/session-gate.tsx';
import { Frame } from './shell/frame.tsx';
import { newQueryClient } from './shell/query-client.ts';
import { Screens } from './shell/screens.tsx';
import { CONSOLE_PATH } from './shell/service.ts';
import { keepPreferences } from './shell/preferences.ts';
import { Notices } from './ui/notices.tsx';

keepPreferences(localStorage);
const root = document.querySelector('#console');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={newQueryClient()}>
        <Router base={CONSOLE_PATH}>
          <SessionGate>
            <Frame>
              <Screens />
            </Frame>
          </SessionGate>
        </Router>
      </QueryClientProvider>
      <Notices />
    </StrictMode>,
  );
}
