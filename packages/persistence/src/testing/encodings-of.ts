/** Returns an ASCII text as it appears in plain, hexadecimal and Base64 text, wherever it starts. */
export function encodingsOf(text: string): readonly string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(' '.repeat(offset) + text);
    // Without the characters that also encode bytes before or after the text.
    return bytes.toString('base64').slice(Math.ceil((8 * offset) / 6), Math.floor((8 * bytes.length) / 6));
  });
  return [text, Buffer.from(text).toString('hex'), ...base64];
}
