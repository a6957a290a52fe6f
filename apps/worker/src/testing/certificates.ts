import { generate } from 'selfsigned';

export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority for a test. */
export interface CertificateAuthority extends Certificate {
  /** Signs a certificate for localhost, for servers and clients. */
  sign(): Promise<Certificate>;
}

const COMMON = { keyType: 'ec', algorithm: 'sha256' } as const;

export async function certificateAuthority(name: string): Promise<CertificateAuthority> {
  const ca = await generate([{ name: 'commonName', value: name }], {
    ...COMMON,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return {
    certificate: ca.cert,
    key: ca.private,
    sign: async () => {
      const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
        ...COMMON,
        ca: { key: ca.private, cert: ca.cert },
        extensions: [
          { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
          { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
        ],
      });
      return { certificate: cert, key };
    },
  };
}
