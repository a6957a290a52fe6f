/** How people can sign in. */
export interface SignInMethods {
  readonly hasKeys: boolean;
  /** The host of the identity provider; null if there is none. */
  readonly provider: string | null;
}

const PROVIDER = 'oidc:';

/** Reads what the service says in its page: `key`, the provider as `oidc:host`, or both. */
export function signInMethodsIn(content: string): SignInMethods {
  const methods = content.split(' ');
  const provider = methods.find((one) => one.startsWith(PROVIDER))?.slice(PROVIDER.length) ?? null;
  return { hasKeys: methods.includes('key') || provider === null, provider };
}

/** Returns the address at which the sign-in begins that continues at a page of the console. */
export function startOfSignIn(service: string, { pathname, search, hash }: Location): string {
  return `${service}api/session/oidc/start?page=${encodeURIComponent(`${pathname}${search}${hash}`)}`;
}

export function signInMethods(): SignInMethods {
  return signInMethodsIn(document.querySelector<HTMLMetaElement>('meta[name="sign-in"]')?.content ?? 'key');
}
