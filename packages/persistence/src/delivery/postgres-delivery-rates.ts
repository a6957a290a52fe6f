import { deliveryRate, deliveryWindow, turnOf, type DeliveryRates, type DeliveryWindow } from '@plugin-config/domain';
import type pg from 'pg';
import { dateAt, numberAt, textOrNullAt } from '../cells.ts';
import type { Database } from '../database.ts';
import { inTransaction } from '../log-entry/in-transaction.ts';
import { run, type Cells, type Statement } from '../statement.ts';
import { lockFamilies } from './lock-families.ts';
