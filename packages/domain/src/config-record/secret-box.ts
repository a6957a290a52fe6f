export interface SecretBox {
  /**
   * Encrypts with the first key.
   * @throws DomainError `invalid_input`, attr `config`, where there is no key to seal with
   */
  seal(plain: string): string;
  /** Decrypts with whichever key it was sealed with. */
  open(sealed: string): string;
}
