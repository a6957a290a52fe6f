import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Console } from './shell/console.tsx';
import { applyTheme, storedTheme } from './shell/theme.ts';
import './shell/shell.css';

applyTheme(storedTheme());
const root = document.querySelector('#console');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
}
