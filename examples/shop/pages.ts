/** The pages of the shop. */

const page = (content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Corner shop</title>
    <link rel="stylesheet" href="/shop.css" />
  </head>
  <body>
    <header><strong>Corner shop</strong></header>
    <main>${content}</main>
  </body>
</html>`;

export const signUpPage = page(`
  <h1>Open a shop</h1>
  <form method="post" action="/sign-up">
    <label>Company <input name="company" required maxlength="60" autocomplete="organization" /></label>
    <label>Your name <input name="name" required maxlength="60" autocomplete="name" /></label>
    <button>Open</button>
  </form>`);

export const settingsPage = page(`
  <h1>Settings</h1>
  <div id="plugins"></div>
  <h2>Latest changes</h2>
  <ul id="changes" aria-live="polite"></ul>
  <script type="module" src="/settings.js"></script>`);

export const STYLES = `
body { margin: 0; font: 16px/1.5 Georgia, serif; color: #23302a; background: #f6f7f9; }
header { padding: 1rem; color: #fff; background: #0a5c40; }
main { max-width: 60rem; margin: auto; padding: 1rem 0; }
h1, h2, form, ul { margin-inline: 1rem; }
form { display: grid; gap: 1rem; max-width: 20rem; }
input, button { display: block; width: 100%; box-sizing: border-box; padding: 0.5rem; font: inherit; }
`;

/** The script of the settings. In a product with a bundler, import from \`@plugin-config/client/embed\`. */
export const settingsScript = (url: string, company: string): string => `
import { mountPlugins } from '/mount-plugins.js';

mountPlugins(document.querySelector('#plugins'), {
  url: ${JSON.stringify(url)},
  project: ${JSON.stringify(`ext:${company}`)},
  token: async () => {
    const response = await fetch('/plugin-token', { method: 'POST' });
    if (!response.ok) throw new Error('Signed out.');
    return (await response.json()).token;
  },
  theme: { colorScheme: 'light', accent: '#0a5c40', radius: 2, font: 'Georgia, serif' },
});

const list = document.querySelector('#changes');
const showChanges = async () => {
  const response = await fetch('/changes');
  if (response.ok) list.replaceChildren(...(await response.json()).map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  }));
  setTimeout(showChanges, 2000);
};
showChanges();
`;
