import type { ReactNode } from 'react';

interface Properties {
  readonly columns: readonly string[];
  /** The cells of each row. The first one is its heading. */
  readonly rows: readonly (readonly [heading: string, ...cells: readonly ReactNode[]])[];
}

/** A table of figures. */
export function Table({ columns, rows }: Properties) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading, ...cells]) => (
          <tr key={heading}>
            <th scope="row">{heading}</th>
            {cells.map((cell, index) => (
              <td key={columns[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
