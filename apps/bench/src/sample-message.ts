/** Returns a typical message. A row with it has about 250 bytes. */
export function sampleMessage(number: number): string {
  return `Sent 20 events on to https://events.example.com/batch, one attempt out of five, 31 ms: 202 Accepted, 48 bytes back, number ${number}`;
}
