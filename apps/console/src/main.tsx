import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { SessionGate } from './session/session-gate.tsx';
import { Frame } from './shell/frame.tsx';
import { makeQueries } from './shell/queries.ts';
import { Screens } from './shell/screens.tsx';
import { CONSOLE_PATH } from './shell/service.ts';
import { applyTheme, storedTheme } from './shell/theme.ts';
import { Notices } from './ui/notices.tsx';
import './shell/shell.css';

applyTheme(storedTheme());
const root = document.querySelector('#console');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={makeQueries()}>
        <Router base={CONSOLE_PATH}>
          <Notices>
            <SessionGate>
              <Frame>
                <Screens />
              </Frame>
            </SessionGate>
          </Notices>
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
