package io.millrace.compatibility.schema;

/** Values of the scenarios, of several versions of the same thing: clients derive their schemas from the fields. */
final class Orders {
    private Orders() {}

    /** The first version. */
    @SuppressWarnings("NullAway.Init") // set by those who make one, and by schemas
    public static class Order {
        public int count;
        public String item;

        static Order of(int count, String item) {
            Order order = new Order();
            order.count = count;
            order.item = item;
            return order;
        }

        @Override
        public String toString() {
            return "Order " + count + " " + item;
        }
    }

    /** One that has an address besides. */
    @SuppressWarnings("NullAway.Init") // set by those who make one, and by schemas
    public static class Shipped {
        public int count;
        public String item;
        public Address to;

        static Shipped of(int count, String item, String street) {
            Shipped shipped = new Shipped();
            shipped.count = count;
            shipped.item = item;
            shipped.to = new Address();
            shipped.to.street = street;
            return shipped;
        }

        @Override
        public String toString() {
            return "Shipped " + count + " " + item + " " + (to == null ? null : to.street);
        }
    }

    /** Where it goes. */
    @SuppressWarnings("NullAway.Init") // set by those who make one, and by schemas
    public static class Address {
        public String street;
    }

    /** One whose count is a text. */
    @SuppressWarnings("NullAway.Init") // set by those who make one, and by schemas
    public static class Retyped {
        public String count;
        public String item;
    }
}
