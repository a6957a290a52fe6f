import type { Statement, VariableDeclarator } from '@swc/core';
import { Visitor } from '@swc/core/Visitor.js';

interface UsingDeclaration {
  readonly type: 'UsingDeclaration';
  readonly decls: VariableDeclarator[];
}

// dependency-cruiser walks the syntax tree with this visitor, which by itself stops at the first `using`.
// oxlint-disable typescript/no-deprecated -- deprecated by swc, but the one that dependency-cruiser uses
const visitStatement = Visitor.prototype.visitStatement;

Visitor.prototype.visitStatement = function readUsing(statement: Statement | UsingDeclaration) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return { type: 'EmptyStatement', span: { start: 0, end: 0, ctxt: 0 } };
};
