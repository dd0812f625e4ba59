import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bilingual } from './language.ts';

/** An order as the shop keeps it. */
export interface Order {
  order_no: string;
  customer_id: string;
  customer: Bilingual;
  sku: string;
  quantity: number;
  status: 'paid' | 'waiting_for_stock' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
  ordered_at: string;
  estimated_ship_time?: string;
  waybill_no?: string;
}

/** A parcel as its carrier reports it. */
export interface Shipment {
  waybill_no: string;
  order_no: string;
  carrier: Bilingual;
  status: 'in_transit' | 'out_for_delivery' | 'delivered' | 'exception';
  expected_on?: string;
  /** The oldest first, never empty. */
  steps: ShipmentStep[];
}

/** One scan of a parcel. */
export interface ShipmentStep {
  at: string;
  place: Bilingual;
  event: Bilingual;
}

/** A product as the warehouse counts it. */
export interface Stock {
  sku: string;
  product: Bilingual;
  available: number;
  waiting_orders: number;
  restock_at?: string;
  restock_quantity?: number;
  warehouse: Bilingual;
}

/** The rows of one file of `data/`. */
export function readRows<Row>(file: 'orders' | 'shipments' | 'stock'): Row[] {
  const path = join(import.meta.dirname, '../data', `${file}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Row[];
}
