import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { SessionGate } from '../session/session-gate.tsx';
import { Notices } from '../ui/notices.tsx';
import { Frame } from './frame.tsx';
import { makeQueries } from './queries.ts';
import { Screens } from './screens.tsx';
import { CONSOLE_PATH } from './service.ts';

export function Console() {
  const [queries] = useState(makeQueries);
  return (
    <QueryClientProvider client={queries}>
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
  );
}
